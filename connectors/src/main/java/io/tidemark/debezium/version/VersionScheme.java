package io.tidemark.debezium.version;

import java.util.List;

/** Where a table's commit versions come from. A table has one scheme for ever. */
public sealed interface VersionScheme {

  /** From the source's own position, as {@code source.connector} writes it. */
  record Auto() implements VersionScheme {
    @Override
    public String toString() {
      return "auto";
    }
  }

  /**
   * From a number, or a list of up to three numbers, that the events carry.
   *
   * @param path a single name means a column of the row: of {@code after}, or of {@code before} in
   *     a delete, such as {@code commit_version}; several are the way from the envelope down, the
   *     same in each event, such as {@code source.commit_version}
   */
  record Field(List<String> path) implements VersionScheme {
    public Field {
      path = List.copyOf(path);
      if (path.isEmpty() || path.stream().anyMatch(String::isEmpty)) {
        throw new IllegalArgumentException("A path is names joined by dots, got " + path);
      }
    }

    @Override
    public String toString() {
      return "field:" + String.join(".", path);
    }
  }

  /** From the Kafka offset alone. */
  record KafkaOffset() implements VersionScheme {
    @Override
    public String toString() {
      return "kafka-offset";
    }
  }

  /**
   * Reads {@code auto}, {@code field:<path>} or {@code kafka-offset}, which {@code toString}
   * writes.
   *
   * @throws IllegalArgumentException with what was found and what was expected
   */
  static VersionScheme parse(String text) {
    if (text.equals("auto")) {
      return new Auto();
    }
    if (text.equals("kafka-offset")) {
      return new KafkaOffset();
    }
    if (text.startsWith("field:")) {
      List<String> path = List.of(text.substring("field:".length()).split("\\.", -1));
      if (path.stream().noneMatch(String::isEmpty)) {
        return new Field(path);
      }
    }
    throw new IllegalArgumentException(
        "A version scheme is auto, kafka-offset or field:<path> (such as"
            + " field:commit_version, a column, or field:source.commit_version), got \""
            + text
            + "\"");
  }
}
