package io.tidemark.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.oracle.OracleOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The recorded tables that must end as the database ended, and what the source loses of each. */
enum CorpusTable {
  BASIC("pg-basic", "shop.orders"),
  BASIC_KEEPNULL("pg-basic-keepnull", "shop.orders"),
  BASIC_SCHEMAS("pg-basic-schemas", "shop.orders"),
  TYPES("pg-types", "ty.all_types"),
  TYPES_SCHEMAS("pg-types-schemas", "ty.all_types"),
  ACCOUNTS("pg-interleaved", "il.acct"),
  LOG("pg-interleaved", "il.log"),
  TOAST("pg-toast", "tt.def"),
  TOAST_FULL("pg-toast", "tt.ful"),
  ITEMS("pg-incremental-snapshot", "inv.items"),
  TWICE("pg-resnapshot", "rs.acct"),
  CHANGED_COLUMNS("pg-ddl", "dd.t"),
  MARIADB("mariadb-basic", "shop.orders"),
  MARIADB_SIDE("mariadb-basic", "shop.side", "id*: int, v: string"),
  COMPOUND_KEY("pg-keys", "k.comp", "b*: int, a*: string, v: string"),
  REVERSED_KEY("pg-keys", "k.comp_rev", "x*: int, y*: int, v: string"),
  UUID_KEY("pg-keys", "k.uu", "id*: uuid, v: string"),
  NUMERIC_KEY("pg-keys", "k.num", "id*: decimal(38; 4), v: string"),
  DECIMAL_KEY("pg-keys", "k.num102", "id*: decimal(10; 2), v: string"),
  TEXT_KEY("pg-keys", "k.txt", "id*: string, v: string"),
  INDEX_KEY("pg-keys", "k.uidx", "code*: string, v: string"),
  CHOSEN_KEY("pg-keys", "k.mkc", "id: int, email*: string, v: string"),
  CHOSEN_KEY_FULL("pg-keys", "k.mkc_full", "id: int, email*: string, v: string"),
  TIMESTAMP_KEY("pg-keys", "k.tsk", "ts*: timestamptz, v: string"),
  DATE_KEY("pg-keys", "k.dt", "d*: date, b*: boolean"),
  BINARY_KEY("pg-keys", "k.byt", "id*: binary, v: string"),
  CHAR_KEY("pg-keys", "k.chr", "id*: string, v: string"),
  MARIADB_TYPES(
      "mariadb-types",
      "ty.all_types",
      "id*: int, b1: boolean, b10: binary, b64: binary, t1: int, bo: int, ti: int, tu: int, si: int,"
          + " su: int, mi: int, mu: int, i: int, iu: long, iz: long, bi: long, bu: long,"
          + " de: decimal(10; 2), de65: string(decimal; 30), de0: decimal(5; 0), fl: float, db: double,"
          + " ch: string, vc: string, tx: string, lt: string, bin: binary, vb: binary, bl: binary,"
          + " en: string, se: string, js: string, da: date, tm: time(micros), tm6: time(micros),"
          + " dt: timestamp(millis), dt3: timestamp(millis), dt6: timestamp(micros),"
          + " ts: timestamptz, ts6: timestamptz, ye: int, u: string,"
          + " pt: struct<x: double; y: double; wkb: binary; srid: int>, di: int,"
          + " dd: timestamp(millis), dts: timestamptz, nda: date, ndt: timestamp(millis), gv: int,"
          + " gs: int, l1: string");

  private final String corpus;
  private final String table;
  private final String notation;

  CorpusTable(String corpus, String table) {
    this(corpus, table, "");
  }

  CorpusTable(String corpus, String table, String notation) {
    this.corpus = corpus;
    this.table = table;
    this.notation = notation;
  }

  Corpus load() {
    return Corpus.load(corpus, table, key());
  }

  /** Its folder and its name, such as {@code pg-keys k.comp}. */
  String place() {
    return corpus + " " + table;
  }

  /** Names of the key's columns. */
  List<String> key() {
    return notation.isEmpty() ? List.of("id") : CorpusNotation.key(notation);
  }

  /** The columns in {@link CorpusNotation}; empty where they are written out elsewhere. */
  String notation() {
    return notation;
  }

  /** Whether no two changes of a key tie. MariaDB's do that one statement made of one row. */
  boolean positionsAreUnique() {
    return this != MARIADB_SIDE;
  }

  String topic() {
    return "src." + table;
  }

  /** Whether messages carry their schema. */
  boolean hasSchemas() {
    return corpus.endsWith("-schemas");
  }

  /** The columns as Kafka Connect describes them. */
  JsonNode columns() {
    return switch (this) {
      case BASIC, BASIC_KEEPNULL, BASIC_SCHEMAS -> BASIC_SCHEMAS.load().columns();
      case TYPES, TYPES_SCHEMAS -> TYPES_SCHEMAS.load().columns();
      case ACCOUNTS -> Fields.of("id int32", "v int32", "who string", "txn int32");
      case LOG -> Fields.of("id int32", "acct int32", "msg string");
      case TOAST, TOAST_FULL -> toast();
      case ITEMS -> Fields.of("id int32", "name string", "stock int32", "ver int32");
      case TWICE -> Fields.of("id int32", "name string", "bal decimal(2)");
      case CHANGED_COLUMNS ->
          Fields.of(
              "id int64",
              "a int64",
              "b string",
              "c decimal(4)",
              "old_name string",
              "new_name string",
              "flag string",
              "added_def int32",
              "added_null string",
              "nn int32",
              "doomed string",
              "late int32",
              "tmp4 int32",
              "tmp8 int32",
              "tmp12 int32",
              "tmp16 int32");
      case MARIADB ->
          Fields.of(
              "id int64",
              "customer string",
              "amount decimal(2)",
              "qty int32",
              "status string",
              "note string",
              "placed_on int32:io.debezium.time.Date",
              "updated_at string:io.debezium.time.ZonedTimestamp");
      default -> CorpusNotation.fields(notation);
    };
  }

  OracleOptions oracle() {
    OracleOptions options = OracleOptions.DEFAULT.withNullForUnrepresentable();
    return hasSchemas() ? options : options.withColumns(columns());
  }

  /** The cells that the source itself loses: {@code id.column = what arrives}. */
  Set<String> lost() {
    return switch (this) {
      case BASIC -> quantities(LOST_QTY);
      case BASIC_SCHEMAS -> quantities(LOST_QTY_SCHEMAS);
      case TYPES, TYPES_SCHEMAS -> new TreeSet<>(LOST_TYPES);
      case TOAST -> new TreeSet<>(LOST_TOAST);
      default -> Corpus.lost(name());
    };
  }

  private static JsonNode toast() {
    ArrayNode fields =
        (ArrayNode)
            Fields.of(
                "id int32",
                "small int32",
                "t string",
                "t_nn string",
                "b bytes",
                "j string",
                "js string",
                "h string",
                "a array",
                "ai array",
                "al array",
                "u array",
                "n struct");
    List.of("a string", "ai int32", "al int64", "u string")
        .forEach(
            list -> {
              String[] words = list.split(" ");
              fields.forEach(
                  field -> {
                    if (field.path("field").asText().equals(words[0])) {
                      ((ObjectNode) field).putObject("items").put("type", words[1]);
                    }
                  });
            });
    ((ObjectNode) fields.get(11)).withObject("/items").put("name", "io.debezium.data.Uuid");
    ((ObjectNode) fields.get(12)).put("name", "io.debezium.data.VariableScaleDecimal");
    return fields;
  }

  private static Set<String> quantities(String ids) {
    return new TreeSet<>(Arrays.stream(ids.split(" ")).map(id -> id + ".qty = 1").toList());
  }

  /** NULL in {@code qty int default 1} arrives as 1, in these rows: replace.null.with.default. */
  private static final String LOST_QTY =
      "1018 1029 1057 1082 1084 1085 1095 1097 1100 1111 1143 1161 1211 1236 1252 1253 1269 1270"
          + " 1273 1280 1285 1286 1291 1299 130 1303 132 141 147 149 18 20 57 58 74 90";

  private static final String LOST_QTY_SCHEMAS =
      "1 1013 1018 1019 1021 1027 1029 1053 1057 1076 1084 1085 1097 1100 1111 1113 1132 1143 1157"
          + " 1161 1164 1165 1188 123 127 130 140 141 142 149 18 2 20 32 47 58 6 74 80 90";

  private static final List<String> LOST_TYPES =
      Stream.of(
              // NULL in a column with a default arrives as the default.
              Stream.of("1.d_int = 7", "1.d_text = dflt", "2.d_text = dflt", "2.d_num = 1.500"),
              Stream.of("2.d_ts = 2020-02-02T02:02:02.020202Z"),
              Stream.of("2.d_now = 1970-01-01T00:00"), // default now() is published as the epoch
              // An unconstrained numeric loses its trailing zeros.
              Stream.of("2.c_num = 0.1", "4.c_num = 1", "14.c_num = 1", "114.c_num = 1"),
              // timetz comes in UTC, and 24:00 as 00:00.
              each("1 101", "c_timetz = 07:44:15.123456Z"),
              each("4 104", "c_timetz = 08:01:00Z"),
              each("10 110", "c_timetz = 00:00:00Z"),
              // An interval comes in microseconds, a month as 30.4375 days.
              each("1 101", "c_interval = 37091106789000"),
              each("4 104", "c_interval = -36572706000001"),
              each("10 110", "c_interval = 0"),
              // The width of bit strings is gone.
              each("4 104", "c_bit12 = "),
              // What the column's type cannot hold, with on-unrepresentable: null.
              each("10 110", "c_time = null"),
              each("6 106 7 107", "c_date = null"),
              each("6 106 7 107 12 112", "c_ts = null"),
              each("6 106 7 107 12 112", "c_tstz = null"),
              each("6 106", "a_ts = null"))
          .flatMap(cells -> cells)
          .toList();

  private static final List<String> LOST_TOAST =
      Stream.of(
              // A numeric that was left out comes as null, as SQL's own null does.
              each("1 2 3 4 5 12", "n = null"),
              // A changed key: what was left out lies under the old key alone.
              Stream.of("t", "t_nn", "b", "j", "js", "a", "ai", "al", "h", "n", "u")
                  .map(column -> "106." + column + " = null"))
          .flatMap(cells -> cells)
          .toList();

  private static Stream<String> each(String ids, String cell) {
    return Arrays.stream(ids.split(" ")).map(id -> id + "." + cell);
  }
}
