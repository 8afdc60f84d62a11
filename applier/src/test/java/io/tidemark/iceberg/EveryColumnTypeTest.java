package io.tidemark.iceberg;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.Change;
import io.tidemark.change.KeyWriter;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import io.tidemark.commit.Batch;
import io.tidemark.commit.BatchKey;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.config.CatalogSettings;
import io.tidemark.flink.row.BinaryRowEncoder;
import io.tidemark.merge.BatchWriter;
import io.tidemark.merge.Winner;
import io.tidemark.row.Column;
import io.tidemark.row.ColumnType;
import io.tidemark.row.ColumnType.Simple;
import io.tidemark.row.RowShape;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EveryColumnTypeTest {
  private static final String TABLE = "a.b.everything";
  private static final UUID ID = UUID.fromString("f47ac10b-58cc-4372-a567-0e02b2c3d479");

  private static final ColumnType STRUCT =
      new ColumnType.Struct(
          List.of(
              new ColumnType.Field("x", Simple.DOUBLE),
              new ColumnType.Field("t", Simple.TIME),
              new ColumnType.Field("n", new ColumnType.Decimal(20, 3))));

  private static final RowShape SHAPE =
      new RowShape(
          List.of(
              new Column("k_uuid", Simple.UUID, true),
              new Column("flag", Simple.BOOLEAN, false),
              new Column("i", Simple.INT, false),
              new Column("k_text", Simple.STRING, true),
              new Column("l", Simple.LONG, false),
              new Column("f", Simple.FLOAT, false),
              new Column("d", Simple.DOUBLE, false),
              new Column("text", Simple.STRING, false),
              new Column("bytes", Simple.BINARY, false),
              new Column("date", Simple.DATE, false),
              new Column("time", Simple.TIME, false),
              new Column("ts", Simple.TIMESTAMP, false),
              new Column("tstz", Simple.TIMESTAMPTZ, false),
              new Column("uuid", Simple.UUID, false),
              new Column("small", new ColumnType.Decimal(6, 2), false),
              new Column("medium", new ColumnType.Decimal(15, 0), false),
              new Column("large", new ColumnType.Decimal(38, 10), false),
              new Column("list", new ColumnType.ListOf(Simple.UUID), false),
              new Column("times", new ColumnType.ListOf(Simple.TIME), false),
              new Column("map", new ColumnType.MapOf(Simple.STRING), false),
              new Column("struct", STRUCT, false),
              new Column("structs", new ColumnType.ListOf(STRUCT), false),
              new Column("k_n", new ColumnType.Decimal(9, 2), true)));

  private static byte[] full() {
    BinaryRowEncoder row = new BinaryRowEncoder(SHAPE);
    row.setUuid(0, ID);
    row.setBoolean(1, true);
    row.setInt(2, Integer.MIN_VALUE);
    row.setString(3, "schlüssel, länger als sieben");
    row.setLong(4, Long.MAX_VALUE);
    row.setFloat(5, 0.1f);
    row.setDouble(6, Double.NaN);
    row.setString(7, "");
    row.setBinary(8, new byte[] {0, 1, (byte) 0xff, 3, 4, 5, 6, 7, 8});
    row.setInt(9, -1);
    row.setLong(10, 86_399_999_999L);
    row.setLong(11, 1_700_000_000_123_457L);
    row.setLong(12, -1);
    row.setUuid(13, new UUID(-1, 1));
    row.setDecimal(14, new BigDecimal("-1234.50"));
    row.setDecimal(15, new BigDecimal("999999999999999"));
    row.setDecimal(16, new BigDecimal("-1234567890123456789012345678.0123456789"));
    row.setList(17, Arrays.asList(ID, null, new UUID(1, 2)));
    row.setList(18, Arrays.asList(1L, 1_000_001L, null));
    Map<String, String> map = new HashMap<>(Map.of("b", "2", "a", "a value that is long"));
    map.put("null", null);
    row.setMap(19, map);
    row.setStruct(
        20, Arrays.asList(-0.5, 12_345_678_901L, new BigDecimal("12345678901234567.125")));
    row.setList(21, Arrays.asList(Arrays.asList(1.5, null, null), null));
    row.setDecimal(22, new BigDecimal("-0.01"));
    return row.finish();
  }

  private static byte[] keysOnly() {
    BinaryRowEncoder row = new BinaryRowEncoder(SHAPE);
    row.setUuid(0, ID);
    row.setString(3, "b");
    row.setDecimal(22, new BigDecimal("7.00"));
    return row.finish();
  }

  private static PrimaryKey key(String text, String number) {
    KeyWriter key = new KeyWriter().start();
    key.writeUuid(ID);
    key.writeString(text);
    key.writeDecimal(new BigDecimal(number));
    return key.finish();
  }

  @ParameterizedTest
  @EnumSource
  void everyTypeComesBackWithoutLoss(Catalogs kind, @TempDir Path directory) throws Exception {
    CatalogSettings catalog = kind.in(directory);
    List<Winner> winners =
        new ArrayList<>(
            List.of(
                winner(key("schlüssel, länger als sieben", "-0.01"), Kind.UPSERT, 1, full()),
                winner(key("b", "7.00"), Kind.UPSERT, 2, keysOnly()),
                winner(key("c", "8.00"), Kind.DELETE, 3, keysOnly())));

    committed(catalog, winners);

    StringWriter text = new StringWriter();
    try (TableReader reader = TableReader.open(catalog, TABLE)) {
      JsonRows json = new JsonRows(reader.columns(RowQuery.ALL), text);
      List<org.apache.iceberg.data.Record> rows = new ArrayList<>();
      reader.read(RowQuery.ALL, rows::add);
      for (org.apache.iceberg.data.Record row : rows) {
        json.row(row);
      }
      json.end();
    }
    assertThat(text.toString().lines())
        .containsExactly(
            "{'k_uuid':'f47ac10b-58cc-4372-a567-0e02b2c3d479','flag':null,'i':null,'k_text':'b','l':null,'f':null,'d':null,'text':null,'bytes':null,'date':null,'time':null,'ts':null,'tstz':null,'uuid':null,'small':null,'medium':null,'large':null,'list':null,'times':null,'map':null,'struct':null,'structs':null,'k_n':7.00}"
                .replace('\'', '"'),
            ("{'k_uuid':'f47ac10b-58cc-4372-a567-0e02b2c3d479','flag':true,'i':-2147483648,'k_text':'schlüssel, länger als sieben','l':9223372036854775807,'f':0.1,'d':'NaN','text':'','bytes':'AAH/AwQFBgcI','date':'1969-12-31','time':'23:59:59.999999','ts':'2023-11-14T22:13:20.123457','tstz':'1969-12-31T23:59:59.999999Z','uuid':'ffffffff-ffff-ffff-0000-000000000001','small':-1234.50,'medium':999999999999999,'large':-1234567890123456789012345678.0123456789,"
                    + "'list':['f47ac10b-58cc-4372-a567-0e02b2c3d479',null,'00000000-0000-0001-0000-000000000002'],'times':['00:00:00.000001','00:00:01.000001',null],'map':{'a':'a value that is long','b':'2','null':null},'struct':{'x':-0.5,'t':'03:25:45.678901','n':12345678901234567.125},'structs':[{'x':1.5,'t':null,'n':null},null],'k_n':-0.01}")
                .replace('\'', '"'));
    assertThat(seeded(catalog))
        .containsOnlyKeys(key("schlüssel, länger als sieben", "-0.01"), key("b", "7.00"));
  }

  @ParameterizedTest
  @EnumSource
  void theShapeComesBackFromTheTable(Catalogs kind, @TempDir Path directory) {
    try (IcebergTables tables = IcebergTables.open(kind.in(directory))) {
      assertThat(tables.ensure(definition()).shape()).isEqualTo(SHAPE);
      assertThat(tables.describe(TABLE).shape()).isEqualTo(SHAPE);
    }
  }

  private static TableDefinition definition() {
    return new TableDefinition(
        TABLE, SHAPE, List.of("day(ts)", "bucket(4, k_uuid)", "small"), Map.of(), "postgres", "[]");
  }

  private static Winner winner(PrimaryKey key, Kind kind, long version, byte[] row) {
    return new Winner(new Change(key, kind, Orders.version(version), 1_000_001, row), null);
  }

  private static void committed(CatalogSettings catalog, List<Winner> winners) throws Exception {
    TableDescription table;
    try (IcebergTables tables = IcebergTables.open(catalog)) {
      table = tables.ensure(definition());
    }
    try (BatchWriter writer =
            new IcebergBatchWriterFactory(catalog, TABLE, SHAPE, table.version()).open(0, 0);
        var ledger =
            new IcebergLedgerFactory(catalog, TABLE, table.version(), null).open(Replica.AT_ONCE)) {
      WrittenFiles files = writer.write(winners);
      ledger.commit(
          List.of(new Batch(new BatchKey(1, 0), files)),
          Replica.record("c1", null, 1, List.of(files)));
    }
  }

  private static Map<PrimaryKey, Mark> seeded(CatalogSettings catalog) throws Exception {
    Map<PrimaryKey, Mark> marks = new HashMap<>();
    try (IcebergTables tables = IcebergTables.open(catalog)) {
      new IcebergSeed(catalog, TABLE, tables.describe(TABLE).snapshot(), null, null, null, false)
          .read(
              (key, mark) -> {
                synchronized (marks) {
                  marks.put(key, mark);
                }
              });
    }
    return marks;
  }
}
