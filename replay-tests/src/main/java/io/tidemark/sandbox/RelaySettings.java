package io.tidemark.sandbox;

import java.util.List;

/**
 * What the relay reads and how it writes.
 *
 * @param topicPrefix first part of the topics' names, also part of the replication slot's name:
 *     lower case letters, digits and underscores
 * @param tables names with their schema; the topic of {@code shop.orders} is {@code
 *     <prefix>.shop.orders}
 * @param schemas whether each record carries its schema, so that types can be known from it
 */
public record RelaySettings(String topicPrefix, List<String> tables, boolean schemas) {
  public RelaySettings {
    if (!topicPrefix.matches("[a-z0-9_]+")) {
      throw new IllegalArgumentException(
          "A topic prefix has lower case letters, digits and underscores, got " + topicPrefix);
    }
    tables = List.copyOf(tables);
  }
}
