package io.tidemark.config;

/** How the messages are written. */
public enum Format {
  /** Debezium's envelope as JSON, with or without its schema. */
  DEBEZIUM_JSON(true),
  /** Debezium's envelope as Avro with a schema registry. */
  DEBEZIUM_AVRO(false),
  /** JSON flattened by Debezium's {@code ExtractNewRecordState}. */
  DEBEZIUM_JSON_FLAT(false),
  /** The same as Avro. */
  DEBEZIUM_AVRO_FLAT(false);

  private final boolean available;

  Format(boolean available) {
    this.available = available;
  }

  /** Whether this version reads it. */
  boolean isAvailable() {
    return available;
  }
}
