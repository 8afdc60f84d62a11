package io.tidemark.config;

import java.io.Serializable;

/**
 * One thing that is wrong with the configuration.
 *
 * @param key full path of the key, such as {@code kafka.topics} or {@code routes[0].table}; empty
 *     for the file as a whole
 * @param line line in the file, from 1; 0 if it is not known
 * @param message what was found and what was expected
 */
public record Problem(String key, int line, String message) implements Serializable {

  /** {@code kafka.format (line 4): found "avro", expected debezium-json}. */
  @Override
  public String toString() {
    String place = line > 0 ? key.isEmpty() ? "line " + line : key + " (line " + line + ")" : key;
    return place.isEmpty() ? message : place + ": " + message;
  }
}
