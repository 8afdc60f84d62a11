package io.tidemark.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.change.SourceOffset;
import io.tidemark.debezium.DecodeResult;
import io.tidemark.debezium.DecodeResult.Decoded;
import io.tidemark.debezium.DecoderSettings;
import io.tidemark.debezium.EnvelopeDecoder;
import io.tidemark.debezium.OverwritingNulls;
import io.tidemark.debezium.RawRecord;
import io.tidemark.debezium.ShapeReader;
import io.tidemark.debezium.ShapeResult.Discovered;
import io.tidemark.debezium.format.JsonFormat;
import io.tidemark.debezium.value.NoPlaceholder;
import io.tidemark.flink.row.BinaryRowEncoder;
import io.tidemark.sandbox.LargeValues.Column;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What becomes of a large value of every type of PostgreSQL when an update leaves it as it was, by
 * the real database and the real connector. {@link NoPlaceholder} lists the losses, and with it the
 * page about types.
 */
@Timeout(600)
class UnsentTypesTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String TABLE = "s.t";
  private static final String REQUIRED = "s.required";

  /** What may become of a column. */
  private enum Outcome {
    KEPT,
    /** As its type in the message shows. */
    NULL,
    /** Of a type that looks like one that is kept. */
    NULL_UNSEEN,
    /** Also in an insert. */
    ALWAYS_NULL,
    NO_COLUMN
  }

  private static final Map<String, String> DEFAULTS =
      Map.of(
          "time.precision.mode", "adaptive",
          "decimal.handling.mode", "precise",
          "binary.handling.mode", "bytes",
          "hstore.handling.mode", "json");

  /** Connectors by name, with their settings. */
  private static final Map<String, Map<String, String>> SETTINGS =
      Map.of(
          "usual",
          Map.of(),
          "texts",
          Map.of(
              "time.precision.mode", "isostring",
              "decimal.handling.mode", "string",
              "binary.handling.mode", "hex",
              "hstore.handling.mode", "map"),
          "others",
          Map.of(
              "time.precision.mode", "connect",
              "decimal.handling.mode", "double",
              "binary.handling.mode", "base64"));

  private static final Set<String> ALWAYS_NULL = Set.of("bit[]", "int2vector[]", "oidvector[]");

  @TempDir Path dir;

  @Test
  void everyTypeIsKeptOrListed() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(dir.resolve("postgres"));
        Connection connection = postgres.connect();
        Statement sql = connection.createStatement();
        ConversionFailures failures = ConversionFailures.listen()) {
      List<Column> columns = create(sql);
      Map<String, EmbeddedConnector> connectors = new TreeMap<>();
      try {
        SETTINGS.forEach(
            (name, settings) -> connectors.put(name, start(postgres, name, TABLE, settings)));
        for (EmbeddedConnector connector : connectors.values()) {
          awaitSlot(sql, connector);
        }
        change(sql, columns);
        Set<String> stopping = new TreeSet<>();
        for (Map.Entry<String, EmbeddedConnector> connector : connectors.entrySet()) {
          SourceRecord insert = connector.getValue().next(TABLE);
          SourceRecord update = connector.getValue().next(TABLE);
          SourceRecord full = connector.getValue().next(TABLE);
          Map<String, String> settings = new TreeMap<>(DEFAULTS);
          settings.putAll(SETTINGS.get(connector.getKey()));
          Changes changes = new Changes(message(insert), message(update), message(full));
          compare(sql, columns, settings, changes);
          stopping.addAll(stopping(sql, columns, settings));
          compareMidnight(settings, changes.insert());
        }
        assertThat(failures.columns(TABLE)).as("columns that =fail stops at").isEqualTo(stopping);
      } finally {
        for (EmbeddedConnector connector : connectors.values()) {
          connector.close();
        }
      }
    }
  }

  @Test
  void aColumnThatIsNeverNullStopsTheConnectorWhateverTheMode() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(dir.resolve("postgres"));
        Connection connection = postgres.connect();
        Statement sql = connection.createStatement()) {
      sql.execute(
          "CREATE SCHEMA s; CREATE TABLE s.fence (id serial PRIMARY KEY);"
              + " CREATE TABLE s.required (id int PRIMARY KEY, n int, c smallint[] NOT NULL);"
              + " ALTER TABLE s.required ALTER COLUMN c SET STORAGE EXTERNAL");
      Map<String, String> strict = Map.of("event.converting.failure.handling.mode", "fail");
      try (EmbeddedConnector warning = start(postgres, "warning", REQUIRED, Map.of());
          EmbeddedConnector failing = start(postgres, "failing", REQUIRED, strict)) {
        awaitSlot(sql, warning);
        awaitSlot(sql, failing);
        sql.execute("INSERT INTO s.required SELECT 1, 0, array_fill(1::int2, ARRAY[2500])");
        sql.execute("UPDATE s.required SET n = 1");

        assertThat(warning.end()).contains("null used for required field: \"c\"");
        assertThat(failing.end())
            .contains("Failed to properly convert data value for 's.required.c'");
      }
    }
  }

  /** An insert, and two updates of another column, the second with REPLICA IDENTITY FULL. */
  private record Changes(JsonNode insert, JsonNode update, JsonNode full) {}

  private static List<Column> create(Statement sql) throws SQLException {
    sql.execute(LargeValues.CREATE);
    Set<String> without = new TreeSet<>();
    List<Column> columns = LargeValues.columns(sql, without);
    Set<String> expected = new TreeSet<>(LargeValues.SMALL);
    expected.addAll(LargeValues.INTERNAL);
    assertThat(without).as("types without a large value").isEqualTo(expected);
    sql.execute("CREATE SCHEMA s; CREATE TABLE s.fence (id serial PRIMARY KEY)");
    sql.execute(
        "CREATE TABLE s.t (id int PRIMARY KEY, n int, midnight time, "
            + columns.stream().map(Column::definition).collect(Collectors.joining(", "))
            + "); ALTER TABLE s.t "
            + columns.stream()
                .map(column -> "ALTER COLUMN " + column.name() + " SET STORAGE EXTERNAL")
                .collect(Collectors.joining(", ")));
    return columns;
  }

  private static void change(Statement sql, List<Column> columns) throws SQLException {
    sql.execute(
        "INSERT INTO s.t SELECT 1, 0, '24:00', "
            + columns.stream().map(Column::value).collect(Collectors.joining(", ")));
    List<String> inside = new ArrayList<>();
    for (Column column : columns) {
      try (ResultSet chunk =
          sql.executeQuery("SELECT pg_column_toast_chunk_id(" + column.name() + ") FROM s.t")) {
        chunk.next();
        if (chunk.getString(1) == null) {
          inside.add(column.type());
        }
      }
    }
    assertThat(inside).as("types whose value is not stored apart").isEmpty();
    sql.execute("UPDATE s.t SET n = 1");
    sql.execute("ALTER TABLE s.t REPLICA IDENTITY FULL");
    sql.execute("UPDATE s.t SET n = 2");
  }

  private static EmbeddedConnector start(
      EmbeddedPostgres postgres, String name, String table, Map<String, String> more) {
    Map<String, String> settings = new TreeMap<>(more);
    settings.put("table.include.list", "s.fence," + table);
    return EmbeddedConnector.start(postgres, name, settings);
  }

  /** What was committed before there was a slot never comes. */
  private static void awaitSlot(Statement sql, EmbeddedConnector connector) throws Exception {
    do {
      sql.execute("INSERT INTO s.fence DEFAULT VALUES");
    } while (connector.poll(200) == null);
  }

  private static JsonNode message(SourceRecord record) throws IOException {
    return JSON.readTree(new RecordWire(true).encode(record).value());
  }

  private static void compare(
      Statement sql, List<Column> columns, Map<String, String> settings, Changes changes)
      throws Exception {
    Set<String> nulls = LargeValues.written(sql, losing(settings, known -> true));
    Set<String> unseen =
        LargeValues.written(sql, losing(settings, known -> known.signs().isEmpty()));
    if (settings.get("decimal.handling.mode").equals("string")) {
      unseen.add("numeric[]");
    }
    if (settings.get("hstore.handling.mode").equals("json")) {
      unseen.add("hstore[]");
    }
    Map<String, Outcome> expected = new TreeMap<>();
    Map<String, Outcome> found = new TreeMap<>();
    for (Column column : columns) {
      Outcome listed =
          unseen.contains(column.type())
              ? Outcome.NULL_UNSEEN
              : nulls.contains(column.type()) ? Outcome.NULL : Outcome.KEPT;
      Outcome always = ALWAYS_NULL.contains(column.type()) ? Outcome.ALWAYS_NULL : listed;
      boolean leftOut = LargeValues.LEFT_OUT.contains(column.type());
      expected.put(column.type(), leftOut ? Outcome.NO_COLUMN : always);
      found.put(column.type(), outcome(column, changes));
    }
    assertThat(found).as("%s", settings).isEqualTo(expected);
    assertThat(found).containsValues(Outcome.values());
  }

  /** Types of the list with which a connector of these settings sends NULL. */
  private static Set<String> losing(Map<String, String> settings, Predicate<NoPlaceholder> which) {
    return NoPlaceholder.ALL.stream()
        .filter(NoPlaceholder::run)
        .filter(which)
        .filter(known -> known.key().isEmpty() || known.modes().contains(settings.get(known.key())))
        .map(NoPlaceholder::type)
        .collect(Collectors.toSet());
  }

  private static Set<String> stopping(
      Statement sql, List<Column> columns, Map<String, String> settings) throws SQLException {
    Set<String> types = LargeValues.written(sql, losing(settings, NoPlaceholder::fails));
    types.addAll(ALWAYS_NULL);
    return columns.stream()
        .filter(column -> types.contains(column.type()))
        .map(Column::name)
        .collect(Collectors.toSet());
  }

  private static Outcome outcome(Column column, Changes changes) throws IOException {
    JsonNode inserted = changes.insert().at("/payload/after/" + column.name());
    JsonNode sent = changes.update().at("/payload/after/" + column.name());
    if (inserted.isMissingNode()) {
      return Outcome.NO_COLUMN;
    }
    for (String row : List.of("before", "after")) {
      JsonNode whole = changes.full().at("/payload/" + row + "/" + column.name());
      assertThat(whole.equals(inserted)).as("%s with FULL, %s", column, row).isTrue();
    }
    if (inserted.isNull()) {
      return Outcome.ALWAYS_NULL;
    }
    RawRecord record = alone(column, changes.update());
    Discovered shape = (Discovered) new ShapeReader(List.of(), Map.of()).read(record);
    DecodeResult decoded =
        new EnvelopeDecoder(
                shape.shape(),
                DecoderSettings.DEFAULTS.withEncodings(shape.encodings()),
                new BinaryRowEncoder(shape.shape()))
            .decode(record);
    assertThat(decoded).as("%s", column).isInstanceOf(Decoded.class);
    boolean kept = ((Decoded) decoded).unsent() != null;
    assertThat(kept).as("%s is not sent as it was", column).isNotEqualTo(sent.isNull());
    boolean warned = isWarnedOf(column, record);
    assertThat(kept && warned).as("%s is warned of", column).isFalse();
    return kept ? Outcome.KEPT : warned ? Outcome.NULL : Outcome.NULL_UNSEEN;
  }

  /** By its type, which some others share. */
  private static boolean isWarnedOf(Column column, RawRecord record) {
    OverwritingNulls nulls = new OverwritingNulls(new JsonFormat(), null, Map.of());
    nulls.look(record);
    return nulls.columns().containsKey(column.name());
  }

  /** A message with the key and one more column alone. */
  private static RawRecord alone(Column column, JsonNode message) throws IOException {
    ObjectNode tree = message.deepCopy();
    Set<String> names = Set.of("id", column.name());
    for (JsonNode row : tree.path("schema").path("fields")) {
      if (Set.of("before", "after").contains(row.path("field").asText())) {
        var fields = row.path("fields").iterator();
        while (fields.hasNext()) {
          if (!names.contains(fields.next().path("field").asText())) {
            fields.remove();
          }
        }
      }
    }
    ((ObjectNode) tree.at("/payload/after")).retain(names);
    byte[] key = JSON.writeValueAsBytes(Map.of("id", 1));
    return new RawRecord(
        new SourceOffset("t", 0, 0), 0, key, JSON.writeValueAsBytes(tree), Map.of());
  }

  private static void compareMidnight(Map<String, String> settings, JsonNode insert) {
    Map<String, String> sent = new LinkedHashMap<>();
    sent.put("adaptive", "86400000000");
    sent.put("connect", "86400000");
    sent.put("isostring", "00:00:00Z"); // the next day's
    assertThat(insert.at("/payload/after/midnight").asText())
        .isEqualTo(sent.get(settings.get("time.precision.mode")));
  }
}
