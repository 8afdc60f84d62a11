package io.tidemark.debezium;

import io.tidemark.corpus.Corpus;
import io.tidemark.corpus.Fold;
import io.tidemark.corpus.TextRow;
import io.tidemark.corpus.Truth;
import io.tidemark.debezium.ShapeResult.Discovered;
import io.tidemark.row.Column;
import io.tidemark.row.ColumnType.Simple;
import io.tidemark.row.RowShape;
import io.tidemark.row.RowWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Recorded tables that {@link CorpusTable} does not have, with their columns as a user names them.
 */
enum RecordedTable implements Recording {
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
  ITEMS("pg-incremental-snapshot", "inv.items", "id*: int, name: string, stock: int, ver: int"),
  SIGNALS("pg-incremental-snapshot", "inv.dbz_signal", "id*: string, type: string, data: string"),
  TOAST_FULL(
      "pg-toast",
      "tt.ful",
      "id*: int, small: int, t: string, t_nn: string, b: binary, j: string, js: string, h: string,"
          + " a: list<string>, ai: list<int>, al: list<long>, u: list<uuid>, n: string(decimal)"),
  TWICE("pg-resnapshot", "rs.acct", "id*: int, name: string, bal: decimal(10; 2)"),
  PARENT("pg-truncate", "tr.parent", "id*: int, v: string"),
  CHILD("pg-truncate", "tr.child", "id*: int, parent_id: int, v: string"),
  SOLO("pg-truncate", "tr.solo", "id*: int, v: string"),
  CHANGED_COLUMNS(
      "pg-ddl",
      "dd.t",
      "id*: long, a: long, b: string, c: decimal(16; 4), old_name: string, new_name: string,"
          + " flag: string(boolean), added_def: int, added_null: string, nn: int, doomed: string,"
          + " late: int, tmp4: int, tmp8: int, tmp12: int, tmp16: int"),
  CONNECT_TIMES("pg-types-connect", "ty.all_types", ""),
  TEXT_DECIMALS("pg-types-decstring", "ty.all_types", ""),
  NOT_A_NUMBER(
      "pg-types-decstring",
      "ty.nan_numeric",
      "id*: int, n: string(decimal), n2: decimal(10; 2; text), f: double"),
  MARIADB(
      "mariadb-basic",
      "shop.orders",
      "id*: long, customer: string, amount: decimal(12; 2), qty: int, status: string, note: string,"
          + " placed_on: date, updated_at: timestamptz"),
  MARIADB_SIDE("mariadb-basic", "shop.side", "id*: int, v: string"),
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
          + " pt: struct<x: double~ y: double~ wkb: binary~ srid: int>, di: int,"
          + " dd: timestamp(millis), dts: timestamptz, nda: date, ndt: timestamp(millis), gv: int,"
          + " gs: int, l1: string");

  private final String corpus;
  private final String table;
  private final String columns;

  RecordedTable(String corpus, String table, String columns) {
    this.corpus = corpus;
    this.table = table;
    this.columns = columns;
  }

  @Override
  public String place() {
    return corpus + " " + table;
  }

  @Override
  public List<RawRecord> records() {
    return Corpus.load(corpus).of("src." + table);
  }

  /** How many events say that the table was truncated, which are refused. */
  int truncates() {
    return switch (this) {
      case PARENT -> 2;
      case CHILD, SOLO -> 3;
      default -> 0;
    };
  }

  /** Whether no two changes of a key tie. MariaDB's do that one statement made of one row. */
  boolean positionsAreUnique() {
    return this != MARIADB_SIDE;
  }

  RowShape shape() {
    return Events.shape(specs());
  }

  @Override
  public Fold fold() {
    return fold(decoder -> decoder);
  }

  /** The same with a changed decoder. */
  Fold fold(UnaryOperator<ChangeDecoder> changed) {
    return new Fold(changed.apply(decoder(false, TextRow::new)));
  }

  /**
   * A decoder of its records.
   *
   * @param wholeBefore whether a delete's {@code before} is the whole row
   * @param writers makes what its rows go to
   */
  ChangeDecoder decoder(boolean wholeBefore, Function<RowShape, RowWriter> writers) {
    DecoderSettings settings =
        DecoderSettings.DEFAULTS
            .withEncodings(Events.encodings(specs()))
            .withOnUnrepresentable(OnUnrepresentable.NULL)
            .withWholeBefore(wholeBefore);
    if (this == TOAST_FULL) {
      // REPLICA IDENTITY FULL: all is sent, and row 20 has the placeholder as its own text.
      settings = settings.withUnavailableValue("");
    }
    return new EnvelopeDecoder(shape(), settings, writers.apply(shape()));
  }

  @Override
  public List<String> key() {
    return shape().columns().stream().filter(Column::key).map(Column::name).toList();
  }

  @Override
  public List<String> differences(Fold fold) {
    RowShape shape = shape();
    Map<String, Map<String, String>> truth = Truth.rows(Corpus.load(corpus), table, shape);
    Map<String, Map<String, String>> rows = fold.rows(key());
    Map<String, Map<String, String>> all = new TreeMap<>(truth);
    rows.forEach(all::putIfAbsent);
    List<String> differences = new ArrayList<>();
    for (String id : all.keySet()) {
      if (!truth.containsKey(id) || !rows.containsKey(id)) {
        differences.add(id + (rows.containsKey(id) ? " is too much" : " is missing"));
        continue;
      }
      for (Column column : shape.columns()) {
        String wanted = truth.get(id).get(column.name());
        String found = rows.get(id).get(column.name());
        found =
            Truth.isHstore(column.name()) && column.type() == Simple.STRING
                ? Truth.sorted(found)
                : found;
        if (wanted == null ? found != null : !wanted.equals(found)) {
          differences.add(id + "." + column.name() + " = " + found);
        }
      }
    }
    return differences;
  }

  @Override
  public List<String> lost() {
    InputStream file = RecordedTable.class.getResourceAsStream("/lost/" + name() + ".txt");
    if (file == null) {
      return List.of();
    }
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
      return lines.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String[] specs() {
    if (!columns.isEmpty()) {
      return Arrays.stream(columns.split(", "))
          .map(column -> column.replace(';', ',').replace('~', ','))
          .toArray(String[]::new);
    }
    // The same table as the one whose messages carry schemas, in another mode.
    RawRecord withSchema = Corpus.load("pg-types-schemas").of("src." + table).get(0);
    Discovered found = (Discovered) new ShapeReader(List.of(), Map.of()).read(withSchema);
    return found.shape().columns().stream()
        .map(column -> column.name() + (column.key() ? "*: " : ": ") + spec(column, found))
        .toArray(String[]::new);
  }

  private String spec(Column column, Discovered found) {
    String spec = found.spec(column.name());
    if (this == CONNECT_TIMES) {
      return column.name().equals("c_hstore")
          ? "map<string, string>"
          : spec.replace("(micros)", "(millis)");
    }
    if (column.name().equals("c_bytea")) {
      return "string";
    }
    return spec.replaceAll("decimal\\((\\d+), (\\d+)\\)", "decimal($1, $2, text)");
  }
}
