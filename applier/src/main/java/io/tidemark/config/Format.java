package io.tidemark.config;

/** How the messages are written. */
public enum Format {
  /** Debezium's envelope as JSON, with or without its schema. */
  DEBEZIUM_JSON(false, false),
  /** Debezium's envelope as Avro with a schema registry. */
  DEBEZIUM_AVRO(true, false),
  /** JSON flattened by Debezium's {@code ExtractNewRecordState}. */
  DEBEZIUM_JSON_FLAT(false, true),
  /** The same as Avro. */
  DEBEZIUM_AVRO_FLAT(true, true);

  private final boolean avro;
  private final boolean flat;

  Format(boolean avro, boolean flat) {
    this.avro = avro;
    this.flat = flat;
  }

  /** Whether a schema registry is needed. */
  public boolean isAvro() {
    return avro;
  }

  /** Whether rows come without the envelope. */
  public boolean isFlat() {
    return flat;
  }
}
