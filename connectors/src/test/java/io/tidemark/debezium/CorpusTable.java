package io.tidemark.debezium;

import static io.tidemark.debezium.Unwrap.PREFIX;

import io.tidemark.corpus.Corpus;
import io.tidemark.corpus.Fold;
import io.tidemark.corpus.Registries;
import io.tidemark.corpus.TextRow;
import io.tidemark.corpus.Truth;
import io.tidemark.debezium.ShapeResult.Discovered;
import io.tidemark.debezium.Unwrap.DeleteHandling;
import io.tidemark.debezium.format.JsonFormat;
import io.tidemark.debezium.format.MessageFormat;
import io.tidemark.debezium.value.ColumnSpec;
import io.tidemark.debezium.version.VersionScheme;
import io.tidemark.row.Column;
import io.tidemark.row.ColumnType.Simple;
import io.tidemark.row.RowShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Recorded tables of {@link CorpusTest}, in every format, and what the source loses of each, cell
 * by cell.
 */
enum CorpusTable implements Recording {
  BASIC("pg-basic", "shop.orders", "pg-basic-schemas"),
  BASIC_KEEPNULL("pg-basic-keepnull", "shop.orders", "pg-basic-schemas"),
  BASIC_SCHEMAS("pg-basic-schemas", "shop.orders", "pg-basic-schemas"),
  BASIC_AVRO("pg-basic-avro", "shop.orders", "pg-basic-avro"),
  UNWRAP_DEFAULT("pg-unwrap-default", "shop.orders", "pg-basic-schemas"),
  UNWRAP_REWRITE("pg-unwrap-rewrite", "shop.orders", "pg-basic-schemas"),
  TYPES("pg-types", "ty.all_types", "pg-types-schemas"),
  TYPES_SCHEMAS("pg-types-schemas", "ty.all_types", "pg-types-schemas"),
  ACCOUNTS("pg-interleaved", "il.acct", null),
  LOG("pg-interleaved", "il.log", null);

  private final String corpus;
  private final String table;
  private final String schemasFrom;

  CorpusTable(String corpus, String table, String schemasFrom) {
    this.corpus = corpus;
    this.table = table;
    this.schemasFrom = schemasFrom;
  }

  @Override
  public String place() {
    return corpus + " " + table;
  }

  @Override
  public List<RawRecord> records() {
    return Corpus.load(corpus).of("src." + table);
  }

  /** The shape that messages with schema bring; by hand where no recording has one. */
  RowShape shape() {
    if (schemasFrom != null) {
      return discovered().shape();
    }
    return this == LOG
        ? new RowShape(List.of(id(), column("acct", Simple.INT), column("msg", Simple.STRING)))
        : new RowShape(
            List.of(
                id(),
                column("v", Simple.INT),
                column("who", Simple.STRING),
                column("txn", Simple.INT)));
  }

  private Discovered discovered() {
    ShapeReader reader = new ShapeReader(List.of(), Map.of(), format(), null);
    return (Discovered) reader.read(Corpus.load(schemasFrom).of("src." + table).get(0));
  }

  private MessageFormat format() {
    return this == BASIC_AVRO ? Registries.avro(Corpus.schemas(corpus)) : new JsonFormat();
  }

  /** Without a position there is but the offset: only what is sent again in order is right. */
  boolean hasPositions() {
    return this != UNWRAP_DEFAULT;
  }

  DecoderSettings settings() {
    return switch (this) {
      case BASIC_AVRO -> columnSettings().withFormat(format(), null);
      case UNWRAP_DEFAULT ->
          columnSettings()
              .withFormat(format(), Unwrap.DEFAULTS)
              .withVersion(new VersionScheme.KafkaOffset());
      case UNWRAP_REWRITE ->
          columnSettings()
              .withFormat(
                  format(),
                  new Unwrap(DeleteHandling.REWRITE, List.of(), PREFIX, List.of(), PREFIX));
      default -> columnSettings();
    };
  }

  private DecoderSettings columnSettings() {
    if (schemasFrom == null || schemasFrom.equals(corpus)) {
      return DecoderSettings.DEFAULTS;
    }
    // As the applier does it: the specifications are kept as text and read again.
    Discovered found = discovered();
    return DecoderSettings.DEFAULTS.withEncodings(
        found.encodings().keySet().stream()
            .collect(Collectors.toMap(c -> c, c -> ColumnSpec.parse(found.spec(c)).encoding())));
  }

  Fold fold(OnUnrepresentable choice) {
    DecoderSettings settings = settings().withOnUnrepresentable(choice);
    return new Fold(ChangeDecoder.of(shape(), settings, new TextRow(shape())));
  }

  @Override
  public Fold fold() {
    return fold(OnUnrepresentable.NULL);
  }

  @Override
  public List<String> key() {
    return List.of("id");
  }

  @Override
  public List<String> differences(Fold fold) {
    RowShape shape = shape();
    Map<String, Map<String, String>> truth = Truth.rows(Corpus.load(corpus), table, shape);
    Map<String, Map<String, String>> rows = fold.rows();
    List<String> differences = new ArrayList<>();
    Map<String, Map<String, String>> all = new TreeMap<>(truth);
    rows.forEach(all::putIfAbsent);
    for (String id : all.keySet()) {
      if (!truth.containsKey(id) || !rows.containsKey(id)) {
        differences.add(id + (rows.containsKey(id) ? " is too much" : " is missing"));
        continue;
      }
      for (Column column : shape.columns()) {
        String wanted = truth.get(id).get(column.name());
        String found = rows.get(id).get(column.name());
        if (found != null && Truth.isHstore(column.name())) {
          found = Truth.sorted(found);
        }
        if (wanted == null ? found != null : !wanted.equals(found)) {
          differences.add(id + "." + column.name() + " = " + found);
        }
      }
    }
    return differences;
  }

  /** {@code row.column = what arrives}: {@code null} where nothing does. */
  private static final List<String> LOST_TYPES =
      List.of(
          // NULL in a column with a default arrives as the default (replace.null.with.default).
          "1.d_int = 7",
          "1.d_text = dflt",
          "2.d_text = dflt",
          "2.d_num = 1.500",
          "2.d_ts = 2020-02-02T02:02:02.020202Z",
          "2.d_now = 1970-01-01T00:00", // default now() is published as the epoch
          // Unconstrained numeric: trailing zeros are gone.
          "2.c_num = 0.1",
          "4.c_num = 1",
          "14.c_num = 1",
          "114.c_num = 1",
          // timetz comes in UTC; 24:00 comes as 00:00.
          "1.c_timetz = 07:44:15.123456Z",
          "101.c_timetz = 07:44:15.123456Z",
          "4.c_timetz = 08:01:00Z",
          "104.c_timetz = 08:01:00Z",
          "10.c_timetz = 00:00:00Z",
          "110.c_timetz = 00:00:00Z",
          // Intervals come in microseconds, a month as 30.4375 days.
          "1.c_interval = 37091106789000",
          "101.c_interval = 37091106789000",
          "4.c_interval = -36572706000001",
          "104.c_interval = -36572706000001",
          "10.c_interval = 0",
          "110.c_interval = 0",
          // The width of bit strings is gone.
          "4.c_bit12 = ",
          "104.c_bit12 = ",
          // What the column's type cannot hold, with on-unrepresentable: null.
          "10.c_time = null",
          "110.c_time = null",
          "6.c_date = null",
          "106.c_date = null",
          "7.c_date = null",
          "107.c_date = null",
          "6.c_ts = null",
          "106.c_ts = null",
          "7.c_ts = null",
          "107.c_ts = null",
          "12.c_ts = null",
          "112.c_ts = null",
          "6.c_tstz = null",
          "106.c_tstz = null",
          "7.c_tstz = null",
          "107.c_tstz = null",
          "12.c_tstz = null",
          "112.c_tstz = null",
          "6.a_ts = null",
          "106.a_ts = null");

  /** NULL in {@code qty int default 1} arrives as 1, in these rows. */
  private static final String LOST_QTY =
      "1018 1029 1057 1082 1084 1085 1095 1097 1100 1111 1143 1161 1211 1236 1252 1253 1269 "
          + "1270 1273 1280 1285 1286 1291 1299 130 1303 132 141 147 149 18 20 57 58 74 90";

  private static final String LOST_QTY_SCHEMAS =
      "1 1013 1018 1019 1021 1027 1029 1053 1057 1076 1084 1085 1097 1100 1111 1113 1132 "
          + "1143 1157 1161 1164 1165 1188 123 127 130 140 141 142 149 18 2 20 32 47 58 6 74 80 "
          + "90";

  @Override
  public List<String> lost() {
    return switch (this) {
      case BASIC -> quantities(LOST_QTY);
      case BASIC_AVRO, UNWRAP_DEFAULT, UNWRAP_REWRITE -> quantities(LOST_QTY);
      case BASIC_SCHEMAS -> quantities(LOST_QTY_SCHEMAS);
      case TYPES, TYPES_SCHEMAS -> LOST_TYPES;
      case BASIC_KEEPNULL, ACCOUNTS, LOG -> List.of();
    };
  }

  private static List<String> quantities(String ids) {
    return Arrays.stream(ids.split(" ")).map(id -> id + ".qty = 1").toList();
  }

  private static Column id() {
    return new Column("id", Simple.INT, true);
  }

  private static Column column(String name, Simple type) {
    return new Column(name, type, false);
  }
}
