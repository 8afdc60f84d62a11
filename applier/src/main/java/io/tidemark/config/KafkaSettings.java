package io.tidemark.config;

import io.tidemark.change.TopicPartition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where changes come from.
 *
 * @param bootstrapServers {@code host:port}, several separated by commas
 * @param start for a table without a record
 * @param allowCompacted whether topics may be read from which Kafka removes older changes of a key
 * @param properties consumer properties, none of those that Tidemark sets itself
 */
public record KafkaSettings(
    String bootstrapServers,
    Topics topics,
    MessageSettings messages,
    StartPosition start,
    boolean allowCompacted,
    Map<String, String> properties) {

  static final Key<String> BOOTSTRAP_SERVERS =
      Key.required(
          "kafka.bootstrap.servers",
          Syntax.text("host:port, several separated by commas", KafkaSettings::servers),
          "localhost:9092",
          "Brokers to ask for the cluster: `host:port`, several separated by commas.");
  static final Key<Topics> TOPICS =
      Key.required(
          "kafka.topics",
          Topics.SYNTAX,
          "'shop\\.public\\..*'",
          "Topics to read: a regular expression that the whole name must match, or a list of names.");
  static final Key<StartPosition> START =
      Key.optional(
          "kafka.start",
          new Syntax<>(StartPosition.EXPECTED, KafkaSettings::start),
          "earliest",
          "Where to start for a table that carries no record: `earliest`, `latest`,"
              + " `timestamp=2026-01-31T12:00:00Z` (or milliseconds), or offsets, as"
              + " `topic:0=17,topic:1=4` or as a mapping `{'topic:0': 17}`. A table with a record"
              + " goes on from it.");
  static final Key<Boolean> ALLOW_COMPACTED =
      Key.optional(
          "kafka.allow-compacted",
          Syntax.FLAG,
          "false",
          "Whether to read topics with `cleanup.policy: compact`. Kafka removes older changes of a"
              + " key there, and with them columns that newer changes did not send; and of a delete"
              + " that the connector follows with a null record it keeps the null alone, which is no"
              + " delete, so the row stays. Only for topics without such nulls"
              + " (`tombstones.on.delete: false`), or that are read before they are compacted.");
  static final Key<Map<String, String>> PROPERTIES =
      Key.optional(
          "kafka.properties",
          Syntax.PROPERTIES,
          "{}",
          "Kafka's own consumer properties, for example `security.protocol`. Those that decide what"
              + " is read belong to Tidemark and are refused: "
              + Names.oneOf(forbidden().keySet()).replace(" or ", " and ")
              + ".");

  static final List<Key<?>> KEYS =
      List.of(
          BOOTSTRAP_SERVERS,
          TOPICS,
          MessageSettings.FORMAT,
          MessageSettings.REGISTRY,
          MessageSettings.UNWRAP,
          START,
          ALLOW_COMPACTED,
          PROPERTIES);

  public KafkaSettings {
    properties = Map.copyOf(properties);
  }

  static KafkaSettings read(Section section) {
    KafkaSettings settings =
        new KafkaSettings(
            section.get(BOOTSTRAP_SERVERS),
            section.get(TOPICS),
            MessageSettings.read(section),
            section.get(START),
            section.get(ALLOW_COMPACTED),
            section.get(PROPERTIES));
    forbidden()
        .forEach(
            (name, reason) -> {
              if (settings.properties.containsKey(name)) {
                section.refuse(PROPERTIES, name, "must not be set here: " + reason);
              }
            });
    String isolation = settings.properties.getOrDefault("isolation.level", "read_committed");
    if (!isolation.equals("read_committed")) {
      section.refuse(
          PROPERTIES,
          "isolation.level",
          "found "
              + section.shown(PROPERTIES, "isolation.level")
              + ", expected read_committed or no entry: with anything else, changes of transactions that"
              + " were aborted would be applied");
    }
    return settings;
  }

  private static Map<String, String> forbidden() {
    Map<String, String> reasons = new LinkedHashMap<>();
    reasons.put("bootstrap.servers", "use kafka.bootstrap.servers");
    reasons.put(
        "enable.auto.commit", "offsets are kept in the table; a group's offsets decide nothing");
    reasons.put(
        "auto.offset.reset",
        "use kafka.start; an offset that Kafka no longer has is an error and never skipped");
    reasons.put("key.deserializer", "Tidemark decodes the bytes itself, see kafka.format");
    reasons.put("value.deserializer", "Tidemark decodes the bytes itself, see kafka.format");
    return reasons;
  }

  private static String servers(String text) {
    for (String server : text.split(",", -1)) {
      if (!server
          .strip()
          .matches("(?:[A-Za-z0-9_+]+://)?(?:\\[[0-9A-Fa-f:.%]+]|[^\\s:/\\[\\]]+):\\d{1,5}")) {
        throw new IllegalArgumentException();
      }
    }
    return text.strip();
  }

  private static @Nullable StartPosition start(String path, Tree tree, Problems problems) {
    if (!(tree instanceof Tree.Mapping mapping)) {
      return Syntax.text(StartPosition.EXPECTED, StartPosition::parse)
          .reader()
          .read(path, tree, problems);
    }
    Map<TopicPartition, Long> offsets = new TreeMap<>();
    for (Map.Entry<String, Tree> entry : mapping.entries().entrySet()) {
      String offset = entry.getValue() instanceof Tree.Scalar scalar ? scalar.text() : "";
      try {
        StartPosition.put(offsets, entry.getKey(), offset);
      } catch (IllegalArgumentException e) {
        problems.unfit(path + "." + entry.getKey(), entry.getValue(), "'topic:partition': offset");
      }
    }
    if (mapping.entries().isEmpty()) {
      problems.add(path, tree.line(), "found an empty mapping, expected 'topic:partition': offset");
    }
    return offsets.isEmpty() ? null : new StartPosition.Offsets(offsets);
  }

  /** Secrets are masked. */
  @Override
  public String toString() {
    return "KafkaSettings[bootstrapServers=%s, topics=%s, messages=%s, start=%s, allowCompacted=%s, properties=%s]"
        .formatted(
            bootstrapServers, topics, messages, start, allowCompacted, Secrets.masked(properties));
  }
}
