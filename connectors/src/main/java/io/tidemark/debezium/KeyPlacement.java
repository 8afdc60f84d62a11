package io.tidemark.debezium;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.debezium.format.MessageReader;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether all changes of a row lie in one partition, where the row's key is the route's own choice.
 *
 * <p>Kafka's order holds within a partition, and so does the rank of a snapshot. A producer chooses
 * the partition by the message key. Where that has no column which the row's key lacks, changes of
 * one row have one message key; where it has, an update of that column puts the row's delete and
 * its insert into two partitions. A topic of one partition has nothing to choose.
 */
final class KeyPlacement {
  private static final int MAX_SHOWN = 12;

  /** What Debezium's {@code ByLogicalTableRouter} adds to keys, and to no row. */
  private static final String PHYSICAL_TABLE = "__dbz__physicalTableIdentifier";

  private final MessageReader keys;
  private final List<String> columns;
  private final boolean severalPartitions;

  KeyPlacement(DecoderSettings settings) {
    keys = settings.format().keys();
    columns = settings.keyColumns();
    severalPartitions = settings.severalPartitions();
  }

  /**
   * Checks a change.
   *
   * @throws Problem if other changes of its row may lie in other partitions
   */
  void require(RawRecord record) throws Problem {
    // Partitions may be added while the topic is read: then their records are the first to show it.
    if (!severalPartitions && record.at().partition() == 0) {
      return;
    }
    byte[] bytes = record.key();
    String found = bytes == null ? "no key" : otherThanColumns(record, bytes);
    if (found != null) {
      throw problem(found);
    }
  }

  /** What a key has beside columns of the row's key; null if it has nothing. */
  private @Nullable String otherThanColumns(RawRecord record, byte[] bytes) {
    List<String> names = new ArrayList<>();
    boolean others = false;
    try (JsonParser in = keys.read(bytes, record.headers()).open()) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        return JsonInput.kind(in.currentToken()) + ", which does not name its column";
      }
      for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
        in.nextToken();
        in.skipChildren();
        others |= !columns.contains(name);
        if (names.size() < MAX_SHOWN) {
          names.add(JsonInput.quoted(name));
        }
      }
      JsonInput.expectEnd(in);
    } catch (IOException broken) {
      return "one that cannot be read (" + JsonInput.broken(broken).text() + ")";
    } catch (Problem unreadable) {
      return "one that cannot be read (" + unreadable.text() + ")";
    }
    return others ? "the columns " + String.join(", ", names) : null;
  }

  private Problem problem(String found) {
    return new Problem(
        "message key: expected no other columns than those of the route's key, "
            + String.join(", ", columns)
            + ", since the topic has several partitions and the message key decides which one a change"
            + " goes to; found "
            + found
            + ". Changes of one row would lie in different partitions, and nothing orders those. Set the"
            + " connector's message.key.columns to columns of the route's key"
            + (found.contains(PHYSICAL_TABLE)
                ? " (ByLogicalTableRouter: key.enforce.uniqueness=false)"
                : "")
            + ", or have one partition; in a new topic, with a new snapshot");
  }
}
