package io.tidemark.config;

import io.tidemark.debezium.DecoderSettings;
import io.tidemark.debezium.OnMissingDocument;
import io.tidemark.debezium.OnTruncate;
import io.tidemark.debezium.OnUnrepresentable;
import io.tidemark.debezium.value.ColumnSpec;
import io.tidemark.debezium.version.VersionScheme;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How the changes of some topics come into a table.
 *
 * @param topics regular expression for the whole name of a topic
 * @param table {@code namespace.table}, with {@code $1} for the first group of {@code topics}; null
 *     for the topic's last two parts
 * @param key names of the key columns; empty for those of the message key
 * @param version {@code auto}, {@code field:<path>} or {@code kafka-offset}
 * @param partition Iceberg transforms, such as {@code day(created_at)}
 * @param columns types by column name, in order, where the messages do not tell or other ones are
 *     wanted; each can be read by {@link ColumnSpec#parse}
 * @param unavailableValue what stands for a value that the source left out, as {@link
 *     DecoderSettings#unavailableValue} takes it; empty if nothing does
 * @param properties table properties, for a table that is created
 * @param adopt whether a table with rows and without a record is taken over
 */
public record RouteSettings(
    String topics,
    @Nullable String table,
    List<String> key,
    String version,
    List<String> partition,
    Deletes deletes,
    Map<String, String> columns,
    OnUnrepresentable onUnrepresentable,
    String unavailableValue,
    UnknownValues unknownValues,
    OnTruncate truncate,
    OnMissingDocument missingDocument,
    Before before,
    Map<String, String> properties,
    boolean adopt) {

  static final Key<String> TOPICS =
      Key.required(
          "routes.topics",
          Topics.REGEX,
          "'shop\\.public\\.(.*)'",
          "Regular expression that the whole name of a topic must match. The first route that matches"
              + " is the topic's.");
  static final Key<String> TABLE =
      Key.unset(
          "routes.table",
          Syntax.text("namespace.table, with $1 for a group of topics", RouteSettings::table),
          "shop.$1",
          "The table, as `namespace.table`; `$1` stands for the first group of `routes.topics`."
              + " Without it: the last two parts of the topic's name.");
  static final Key<List<String>> KEY =
      Key.optional(
          "routes.key",
          Syntax.list(Syntax.TEXT),
          "[]",
          "Names of the key columns. Empty: the columns of the message key. Where the topic has several"
              + " partitions, the message key must have no others, or be the one value of the only"
              + " column.");
  static final Key<String> VERSION =
      Key.optional(
          "routes.version",
          Syntax.text("auto, field:<path> or kafka-offset", RouteSettings::version),
          "auto",
          "What orders the changes of a key: `auto`, the position that the source database gave;"
              + " `field:<path>`, a number or list of numbers in the event: `field:commit_version` is a"
              + " column, also of deletes, and a path with dots goes from the envelope down, such as"
              + " `field:source.commit_version`; `kafka-offset`, for topics that are never written"
              + " twice. A table keeps the one that it was created with.");
  static final Key<List<String>> PARTITION =
      Key.optional(
          "routes.partition",
          Syntax.list(
              Syntax.text(
                  "a column, or year, month, day, hour, bucket(n, …) or truncate(n, …) of one",
                  RouteSettings::transform)),
          "[]",
          "Partitioning of a table that is created: columns, or `year(c)`, `month(c)`, `day(c)`,"
              + " `hour(c)`, `bucket(16, c)`, `truncate(4, c)`.");
  static final Key<Deletes> DELETES =
      Key.optional(
          "routes.deletes",
          Syntax.text("equality", RouteSettings::deletes),
          "equality",
          "What a delete does: `equality` removes the row. `soft` is not available yet.");
  static final Key<Map<String, String>> COLUMNS =
      Key.optional(
          "routes.columns",
          Syntax.PROPERTIES,
          "{}",
          "Types by column, such as `{amount: 'decimal(10, 2)'}`, where the messages carry no schema"
              + " or another type is wanted.");
  static final Key<OnUnrepresentable> ON_UNREPRESENTABLE =
      Key.optional(
          "routes.on-unrepresentable",
          Syntax.choice(OnUnrepresentable.class),
          "fail",
          "What happens to a value that the column's type cannot hold, such as `infinity` in a"
              + " timestamp: `fail` sends the message to the error policy, `null` leaves the column"
              + " empty, `dead-letter` sends the message to `errors.topic` whatever the policy is.");
  static final Key<String> UNAVAILABLE_VALUE =
      Key.optional(
          "routes.unavailable-value",
          Syntax.text("a text, hex: and bytes in hexadecimal, or none", RouteSettings::placeholder),
          DecoderSettings.UNAVAILABLE_VALUE,
          "What Debezium sends for a large value that an update left as it was (TOAST): its"
              + " `unavailable.value.placeholder`, also in the form `hex:…`. The column keeps the"
              + " value that it had. What looks like it is the user's own where `source` says that"
              + " the connector writes none: `mysql`, `mariadb`, `vitess` and `db2` before 3.7."
              + " `none`: every value is the user's own, as it is where tables have"
              + " `REPLICA IDENTITY FULL`.");
  static final Key<UnknownValues> UNKNOWN_VALUES =
      Key.optional(
          "routes.unknown-values",
          Syntax.choice(UnknownValues.class),
          "fail",
          "What happens where the source left a value out and no change since the row's insert told"
              + " it, as after a change of a PostgreSQL key: `fail` stops the job, `null` leaves the"
              + " column null and says in the row's `_kept` that it is unknown.");
  static final Key<OnTruncate> TRUNCATE =
      Key.optional(
          "routes.truncate",
          Syntax.choice(OnTruncate.class),
          "fail",
          "What a TRUNCATE of the source table does, which Debezium only sends without `t` in"
              + " `skipped.operations`: `fail` sends the message to the error policy, `ignore` passes"
              + " it over, and the table keeps the rows.");
  static final Key<OnMissingDocument> MISSING_DOCUMENT =
      Key.optional(
          "routes.missing-document",
          Syntax.choice(OnMissingDocument.class),
          "fail",
          "What an update by MongoDB does that has no document: `fail` sends the message to the error"
              + " policy, `ignore` passes it over. Only for connectors that look documents up"
              + " (`capture.mode.full.update.type=lookup`): there the document was deleted meanwhile,"
              + " and its delete follows. See sources.md.");
  static final Key<Before> BEFORE =
      Key.optional(
          "routes.before",
          Syntax.choice(Before.class),
          "key",
          "What a delete's `before` holds: `key`, or `full`, the whole row, as PostgreSQL's"
              + " `REPLICA IDENTITY FULL` makes it. With `full` a delete that is of another row than"
              + " the one that its transaction put under the key stops the job: rows exchanged their"
              + " keys. See types.md. With `version: field:` it also says that the version in a delete"
              + " is the row's own, and with `key` that the key is.");
  static final Key<Map<String, String>> PROPERTIES =
      Key.optional(
          "routes.properties",
          Syntax.PROPERTIES,
          "{}",
          "Iceberg table properties of a table that is created.");

  static final Key<Boolean> ADOPT =
      Key.optional(
          "routes.adopt",
          Syntax.FLAG,
          "false",
          "Whether a table that has rows and no record of Tidemark is taken over: rows keep their"
              + " `_commit_version`, and one without loses against any change of its key. May stay"
              + " set.");

  static final List<Key<?>> KEYS =
      List.of(
          TOPICS,
          TABLE,
          KEY,
          VERSION,
          PARTITION,
          DELETES,
          COLUMNS,
          ON_UNREPRESENTABLE,
          UNAVAILABLE_VALUE,
          UNKNOWN_VALUES,
          TRUNCATE,
          MISSING_DOCUMENT,
          BEFORE,
          PROPERTIES,
          ADOPT);

  /** For topics that no route matches. */
  static final RouteSettings DEFAULT =
      new RouteSettings(
          ".*",
          null,
          List.of(),
          "auto",
          List.of(),
          Deletes.EQUALITY,
          Map.of(),
          OnUnrepresentable.FAIL,
          DecoderSettings.UNAVAILABLE_VALUE,
          UnknownValues.FAIL,
          OnTruncate.FAIL,
          OnMissingDocument.FAIL,
          Before.KEY,
          Map.of(),
          false);

  private static final Pattern GROUP = Pattern.compile("\\$(\\d)");
  private static final Pattern TRANSFORM =
      Pattern.compile(
          "[^\\s(),]+|(?:year|month|day|hour|identity)\\(\\s*[^\\s(),]+\\s*\\)"
              + "|(?:bucket|truncate)\\(\\s*[1-9]\\d{0,8}\\s*,\\s*[^\\s(),]+\\s*\\)");

  public RouteSettings {
    key = List.copyOf(key);
    partition = List.copyOf(partition);
    columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
    properties = Map.copyOf(properties);
  }

  static RouteSettings read(Section section) {
    RouteSettings route =
        new RouteSettings(
            section.get(TOPICS),
            section.find(TABLE),
            section.get(KEY),
            section.get(VERSION),
            section.get(PARTITION),
            section.get(DELETES),
            section.get(COLUMNS),
            section.get(ON_UNREPRESENTABLE),
            section.get(UNAVAILABLE_VALUE),
            section.get(UNKNOWN_VALUES),
            section.get(TRUNCATE),
            section.get(MISSING_DOCUMENT),
            section.get(BEFORE),
            section.get(PROPERTIES),
            section.get(ADOPT));
    if (route.table != null && section.isSound(TOPICS, TABLE)) {
      int groups = Pattern.compile(route.topics).matcher("").groupCount();
      GROUP
          .matcher(route.table)
          .results()
          .map(match -> Integer.parseInt(match.group(1)))
          .filter(group -> group > groups)
          .findFirst()
          .ifPresent(
              group ->
                  section.refuse(
                      TABLE, "found $" + group + ", but routes.topics has " + groups + " groups"));
    }
    checkColumns(section, route);
    Set<String> seen = new HashSet<>();
    route.key.stream()
        .filter(column -> !seen.add(column))
        .findFirst()
        .ifPresent(twice -> section.refuse(KEY, "found a column twice, expected each once"));
    return route;
  }

  boolean matches(String topic) {
    return Pattern.matches(topics, topic);
  }

  /**
   * The table for a topic that matches.
   *
   * @throws IllegalArgumentException if the topic's name does not give one
   */
  String tableFor(String topic) {
    String name;
    if (table == null) {
      String[] parts = topic.split("\\.", -1);
      name = parts.length < 2 ? topic : parts[parts.length - 2] + "." + parts[parts.length - 1];
    } else {
      Matcher matcher = Pattern.compile(topics).matcher(topic);
      if (!matcher.matches()) {
        throw new IllegalArgumentException("topic " + topic + " does not match " + topics);
      }
      name =
          GROUP
              .matcher(table)
              .replaceAll(
                  group -> {
                    String text = matcher.group(Integer.parseInt(group.group(1)));
                    return text == null ? "" : Matcher.quoteReplacement(text);
                  });
    }
    return table(name);
  }

  /** What {@link #version} says. */
  public VersionScheme versionScheme() {
    return VersionScheme.parse(version);
  }

  /** What {@link #columns} says, in its order. */
  public Map<String, ColumnSpec> columnSpecs() {
    Map<String, ColumnSpec> specs = new LinkedHashMap<>();
    columns.forEach((column, text) -> specs.put(column, ColumnSpec.parse(text)));
    return specs;
  }

  private static void checkColumns(Section section, RouteSettings route) {
    route.columns.forEach(
        (column, text) -> {
          try {
            ColumnSpec.parse(text);
          } catch (IllegalArgumentException e) {
            section.refuse(COLUMNS, column, String.valueOf(e.getMessage()));
          }
        });
  }

  private static String table(String text) {
    if (!text.matches("[^.\\s/]+(?:\\.[^.\\s/]+)+")) {
      throw new IllegalArgumentException();
    }
    return text;
  }

  private static String version(String text) {
    try {
      return VersionScheme.parse(text).toString();
    } catch (IllegalArgumentException e) {
      // Its message repeats the value, which may be a secret put into the wrong place.
      throw new IllegalArgumentException(null, e);
    }
  }

  private static String transform(String text) {
    if (!TRANSFORM.matcher(text.strip()).matches()) {
      throw new IllegalArgumentException();
    }
    return text.strip();
  }

  private static String placeholder(String text) {
    if (text.startsWith("hex:")) {
      try {
        HexFormat.of().parseHex(text.substring("hex:".length()));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(null, e);
      }
    }
    return text.equals("none") ? "" : text;
  }

  private static Deletes deletes(String text) {
    if (text.equals("soft")) {
      throw new IllegalArgumentException("soft deletes are not available yet");
    }
    if (!text.equals("equality")) {
      throw new IllegalArgumentException();
    }
    return Deletes.EQUALITY;
  }
}
