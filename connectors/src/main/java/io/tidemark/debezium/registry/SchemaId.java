package io.tidemark.debezium.registry;

/** Under what name a registry knows a schema. It never changes its meaning. */
public record SchemaId(Kind kind, long number) {

  /** What an id counts. */
  public enum Kind {
    /** Schemas, in Confluent's registry and those that speak its API. */
    SCHEMA("schema id"),
    /** Versions of artifacts, in Apicurio's registry. */
    GLOBAL("globalId"),
    /** Contents, in Apicurio's registry. */
    CONTENT("contentId");

    private final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  @Override
  public String toString() {
    return kind.text + " " + number;
  }
}
