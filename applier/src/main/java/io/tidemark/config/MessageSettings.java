package io.tidemark.config;

import io.tidemark.debezium.Unwrap;
import io.tidemark.debezium.Unwrap.DeleteHandling;
import io.tidemark.debezium.avro.AvroFormat;
import io.tidemark.debezium.format.JsonFormat;
import io.tidemark.debezium.format.MessageFormat;
import io.tidemark.debezium.registry.RegistryProperties;
import io.tidemark.debezium.registry.RegistrySettings;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How messages are written.
 *
 * @param registry where the schemas of Avro messages are; null for JSON
 * @param unwrap what a transform did to the envelope; only used where the format is flat
 */
public record MessageSettings(Format format, @Nullable RegistrySettings registry, Unwrap unwrap) {
  private static final String DELETES = "delete.tombstone.handling.mode";
  private static final String ADD_FIELDS = "add.fields";
  private static final String FIELDS_PREFIX = "add.fields.prefix";
  private static final String ADD_HEADERS = "add.headers";
  private static final String HEADERS_PREFIX = "add.headers.prefix";
  private static final List<String> UNWRAP_NAMES =
      List.of(DELETES, ADD_FIELDS, FIELDS_PREFIX, ADD_HEADERS, HEADERS_PREFIX);

  static final Key<Format> FORMAT =
      Key.optional(
          "kafka.format",
          Syntax.choice(Format.class),
          "debezium-json",
          "How the messages are written. `debezium-json` is Debezium's envelope as JSON, with or"
              + " without its schema; `debezium-avro` the envelope as Avro, with `kafka.registry`;"
              + " `debezium-json-flat` and `debezium-avro-flat` are rows that `ExtractNewRecordState`"
              + " took out of the envelope, as `kafka.unwrap` says. See formats.md.");
  static final Key<Map<String, String>> REGISTRY =
      Key.unset(
          "kafka.registry",
          Syntax.PROPERTIES,
          "{schema.registry.url: 'http://localhost:8081'}",
          "The schema registry of Avro messages, under the names that the connector's converter has for"
              + " it: "
              + Names.oneOf(RegistryProperties.NAMES).replace(" or ", " and ")
              + ".");
  static final Key<Map<String, String>> UNWRAP =
      Key.optional(
          "kafka.unwrap",
          Syntax.PROPERTIES,
          "{}",
          "What `ExtractNewRecordState` was told, under its own names and with its own defaults: "
              + Names.oneOf(UNWRAP_NAMES).replace(" or ", " and ")
              + ". Without a list of fields, all that start with the prefix (`__`) were added; headers"
              + " are read only if they are listed.");

  /** Debezium's envelope as JSON. */
  public static final MessageSettings DEFAULTS =
      new MessageSettings(Format.DEBEZIUM_JSON, null, Unwrap.DEFAULTS);

  static MessageSettings read(Section section) {
    Format format = section.get(FORMAT);
    Map<String, String> registry = section.find(REGISTRY);
    Map<String, String> unwrap = section.get(UNWRAP);
    if (!section.isSound(FORMAT, REGISTRY, UNWRAP)) {
      return DEFAULTS;
    }
    if (!format.isFlat() && !unwrap.isEmpty()) {
      section.refuse(
          UNWRAP, "belongs to debezium-json-flat and debezium-avro-flat, found " + shown(format));
    }
    return new MessageSettings(
        format, registry(section, format, registry), unwrap(section, unwrap));
  }

  private static @Nullable RegistrySettings registry(
      Section section, Format format, @Nullable Map<String, String> entries) {
    if (!format.isAvro()) {
      if (entries != null) {
        section.refuse(
            REGISTRY, "belongs to debezium-avro and debezium-avro-flat, found " + shown(format));
      }
      return null;
    }
    if (entries == null) {
      section.refuse(
          REGISTRY,
          "is missing, expected schema.registry.url or apicurio.registry.url: kafka.format is "
              + Names.of(format));
      return null;
    }
    return RegistryProperties.read(
        entries, (name, problem) -> section.refuse(REGISTRY, name, problem));
  }

  private static Unwrap unwrap(Section section, Map<String, String> entries) {
    for (String name : entries.keySet()) {
      if (!UNWRAP_NAMES.contains(name)) {
        section.refuse(
            UNWRAP, name, "is not known here, expected one of " + String.join(", ", UNWRAP_NAMES));
      }
    }
    try {
      return new Unwrap(
          deletes(section, entries.get(DELETES)),
          list(entries.get(ADD_FIELDS)),
          entries.getOrDefault(FIELDS_PREFIX, Unwrap.PREFIX),
          list(entries.get(ADD_HEADERS)),
          entries.getOrDefault(HEADERS_PREFIX, Unwrap.PREFIX));
    } catch (IllegalArgumentException impossible) {
      section.refuse(UNWRAP, String.valueOf(impossible.getMessage()));
      return Unwrap.DEFAULTS;
    }
  }

  private static DeleteHandling deletes(Section section, @Nullable String text) {
    for (DeleteHandling handling : DeleteHandling.values()) {
      if (text == null || handling.toString().equals(text)) {
        return text == null ? Unwrap.DEFAULTS.deletes() : handling;
      }
    }
    List<String> expected =
        Arrays.stream(DeleteHandling.values()).map(DeleteHandling::toString).toList();
    section.refuse(
        UNWRAP,
        DELETES,
        "found " + section.shown(UNWRAP, DELETES) + ", expected " + Names.oneOf(expected));
    return Unwrap.DEFAULTS.deletes();
  }

  private static List<String> list(@Nullable String text) {
    return text == null || text.isBlank()
        ? List.of()
        : Arrays.stream(text.split(",", -1)).map(String::strip).toList();
  }

  private static String shown(Format format) {
    return "kafka.format: " + Names.of(format);
  }

  /** How keys and values are written. */
  public MessageFormat messages() {
    return registry == null ? new JsonFormat() : new AvroFormat(registry);
  }

  /** What a transform made of the envelope; null if it is there. */
  public @Nullable Unwrap unwrapped() {
    return format.isFlat() ? unwrap : null;
  }
}
