package io.tidemark.debezium.format;

/** JSON, with or without schema, which each message shows. */
public record JsonFormat() implements MessageFormat {

  @Override
  public MessageReader keys() {
    return new JsonMessageReader();
  }

  @Override
  public MessageReader values() {
    return new JsonMessageReader();
  }
}
