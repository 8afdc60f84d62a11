package io.tidemark.iceberg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.config.CatalogSettings;
import io.tidemark.row.Column;
import io.tidemark.row.ColumnType;
import io.tidemark.row.ColumnType.Simple;
import io.tidemark.row.RowShape;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IcebergTablesTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource
  void createsTheTableAndItsTombstones(Catalogs kind) {
    CatalogSettings catalog = kind.in(directory);
    TableDefinition definition =
        new TableDefinition(
            "deep.name.space.orders",
            Orders.SHAPE,
            List.of("region", "month(created_at)", "bucket(16, id)", "truncate(3,note)"),
            Map.of("write.parquet.compression-codec", "zstd", "format-version", "3"),
            "postgres",
            "{\"columns\":[]}");
    try (IcebergTables tables = IcebergTables.open(catalog);
        OpenCatalog open = OpenCatalog.open(catalog)) {
      assertThat(tables.state(definition.identifier())).isEqualTo(TableState.ABSENT);
      TableDescription made = tables.ensure(definition);

      assertThat(tables.state(definition.identifier())).isEqualTo(TableState.EMPTY);
      assertThat(made.versionScheme()).isEqualTo("postgres");
      assertThat(made.columns()).isEqualTo("{\"columns\":[]}");
      assertThat(made.snapshot()).isNull();
      assertThat(tables.ensure(definition)).isEqualTo(made);
      Table table = open.table(definition.identifier());
      assertThat(table.schema().asStruct().fields().toString())
          .isEqualTo(
              "[1: id: required long, 2: region: optional string, 3: created_at: optional"
                  + " timestamptz, 4: note: optional string, 5: _commit_version: optional string,"
                  + " 6: _source_ts: optional timestamptz, 7: _kept: optional map<string, string>]");
      assertThat(table.schema().identifierFieldNames()).containsExactly("id");
      assertThat(table.spec().fields().stream().map(f -> f.name() + " " + f.transform()))
          .containsExactly(
              "region identity",
              "created_at_month month",
              "id_bucket bucket[16]",
              "note_trunc truncate[3]");
      assertThat(TableUtil.formatVersion(table)).isEqualTo(3);
      Table tombstones = open.tombstoneTable(definition.identifier());
      assertThat(tombstones.name()).endsWith("deep.name.space.orders__tombstones");
      assertThat(tombstones.schema().asStruct().fields().toString())
          .isEqualTo(
              "[1: id: required long, 2: _commit_version: required string, 3: _source_ts:"
                  + " required timestamptz]");
      assertThat(tombstones.spec().fields().toString()).contains("_source_ts_day: day(3)");
    }
  }

  @Test
  void formatVersionIsTwoUnlessTheRouteSaysOtherwise() {
    CatalogSettings catalog = Catalogs.HADOOP.in(directory);
    try (IcebergTables tables = IcebergTables.open(catalog);
        OpenCatalog open = OpenCatalog.open(catalog)) {
      tables.ensure(Orders.table());
      assertThat(TableUtil.formatVersion(open.table(Orders.TABLE))).isEqualTo(2);
    }
  }

  @Test
  void aTableThatCannotHoldDeletesIsRefusedBeforeTheFirstCommit() {
    TableDefinition first =
        new TableDefinition(
            Orders.TABLE, Orders.SHAPE, List.of(), Map.of("format-version", "1"), "postgres", "[]");
    try (IcebergTables tables = IcebergTables.open(Catalogs.HADOOP.in(directory))) {
      assertThatThrownBy(() -> tables.ensure(first))
          .isInstanceOf(TableMismatchException.class)
          .hasMessageContaining("its format-version is 1, deletes need 2 or above");
    }
  }

  @Test
  void everyMismatchIsReportedAtOnce() {
    CatalogSettings catalog = Catalogs.HADOOP.in(directory);
    Schema schema =
        new Schema(
            List.of(
                Types.NestedField.required(1, "id", Types.IntegerType.get()),
                Types.NestedField.required(2, "region", Types.StringType.get()),
                Types.NestedField.required(3, "extra", Types.StringType.get()),
                Types.NestedField.optional(4, "_source_ts", Types.TimestampType.withZone()),
                Types.NestedField.optional(5, "created_at", Types.TimestampType.withoutZone())),
            Set.of(2));
    try (IcebergTables tables = IcebergTables.open(catalog);
        OpenCatalog open = OpenCatalog.open(catalog)) {
      open.catalog()
          .createTable(
              TableIdentifier.parse(Orders.TABLE),
              schema,
              PartitionSpec.builderFor(schema).day("_source_ts").build(),
              Map.of(IcebergTables.VERSION_SCHEME, "kafka-offset", "write.format.default", "avro"));

      assertThatThrownBy(() -> tables.ensure(Orders.table()))
          .isInstanceOf(TableMismatchException.class)
          .hasMessage(
              """
              Table shop.orders does not fit its changes:
                column id has type int, the changes' is long
                column region is required, but only key columns are sure to have a value
                column created_at has type timestamp, the changes' is timestamptz
                column note of type string is missing
                its identifier fields are [region], the changes' key is [id]
                column _commit_version of type string is missing
                column extra is required, but the changes do not have it
                a table cannot be partitioned by _source_ts, which Tidemark adds: where a row lies \
              must follow from the source's columns
                its commit versions are made of kafka-offset, the changes' of postgres: versions of \
              two schemes cannot be compared
                write.format.default is avro, only parquet can be written""");
    }
  }

  @Test
  void keepsTheSchemaAndSpecOfAnEmptyTableAndTakesItOver() throws Exception {
    CatalogSettings catalog = Catalogs.JDBC.in(directory);
    Schema schema =
        new Schema(
            List.of(
                Types.NestedField.optional(1, "note", Types.StringType.get()),
                Types.NestedField.optional(2, "mine", Types.StringType.get()),
                Types.NestedField.optional(3, "_source_ts", Types.TimestampType.withZone()),
                Types.NestedField.required(4, "id", Types.LongType.get()),
                Types.NestedField.optional(5, "created_at", Types.TimestampType.withZone()),
                Types.NestedField.optional(6, "region", Types.StringType.get()),
                Types.NestedField.optional(7, "_commit_version", Types.StringType.get())),
            Set.of(4));
    try (OpenCatalog open = OpenCatalog.open(catalog)) {
      open.createNamespace(org.apache.iceberg.catalog.Namespace.of("shop"));
      open.catalog()
          .createTable(
              TableIdentifier.parse(Orders.TABLE),
              schema,
              PartitionSpec.builderFor(schema).identity("region").build());
    }
    try (Replica job = new Replica(catalog, Orders.table("bucket(4, id)"))) {
      assertThat(job.table.versionScheme()).isEqualTo("postgres");
      job.commit("c1", 1, Orders.put(1, 1, "eu", "a"), Orders.put(2, 1, "us", "b"));
      assertThat(job.rows()).isEqualTo(Map.of(1L, "eu/a", 2L, "us/b"));
      assertThat(job.foreign().spec().fields().toString()).contains("identity");
    }
  }

  @ParameterizedTest
  @EnumSource
  void tellsTheStatesApart(Catalogs kind) throws Exception {
    CatalogSettings catalog = kind.in(directory);
    try (Replica job = new Replica(catalog, Orders.table());
        IcebergTables tables = IcebergTables.open(catalog)) {
      job.foreign().newFastAppend().commit();
      assertThat(tables.state(Orders.TABLE)).isEqualTo(TableState.ROWS_WITHOUT_RECORD);
      job.commit("c1", 1, Orders.put(1, 1, "eu", "a"));
      assertThat(tables.state(Orders.TABLE)).isEqualTo(TableState.HAS_RECORD);
    }
  }

  @Test
  void unusablePartitionExpressionsSayWhatIsKnown() {
    assertThat(IcebergTables.partitionProblem(Orders.SHAPE, List.of("day(created_at)"))).isNull();
    for (String bad :
        List.of("week(created_at)", "bucket(id)", "day(3, created_at)", "bucket(16")) {
      assertThat(IcebergTables.partitionProblem(Orders.SHAPE, List.of(bad))).isNotNull();
    }
    assertThat(IcebergTables.partitionProblem(Orders.SHAPE, List.of("week(created_at)")))
        .isEqualTo(
            "A partition expression is a column name, year(c), month(c), day(c), hour(c),"
                + " bucket(16, c) or truncate(10, c), got \"week(created_at)\"");
    assertThat(IcebergTables.partitionProblem(Orders.SHAPE, List.of("day(_source_ts)")))
        .contains("which Tidemark adds");
    assertThat(IcebergTables.partitionProblem(Orders.SHAPE, List.of("bucket(4, idd)")))
        .isEqualTo("Cannot find source column: idd");
    assertThat(IcebergTables.partitionProblem(Orders.SHAPE, List.of("year(note)")))
        .startsWith("Invalid source type string for transform");
    RowShape measured =
        new RowShape(
            List.of(new Column("id", Simple.INT, true), new Column("value", Simple.DOUBLE, false)));
    assertThat(IcebergTables.partitionProblem(measured, List.of("value")))
        .isEqualTo("a table cannot be partitioned by value of type double");
  }

  /** As most engines create tables. The last step is what docs/recovery.md says. */
  @Test
  void aTableWithoutIdentifierFieldsIsRefusedAndCanBeGivenOnes() {
    CatalogSettings catalog = Catalogs.HADOOP.in(directory);
    try (IcebergTables tables = IcebergTables.open(catalog);
        OpenCatalog open = OpenCatalog.open(catalog)) {
      Table table =
          open.catalog()
              .createTable(
                  TableIdentifier.of("shop", "plain"),
                  new Schema(
                      Types.NestedField.optional(1, "id", Types.LongType.get()),
                      Types.NestedField.optional(2, "note", Types.StringType.get())));
      assertThatThrownBy(() -> tables.describe("shop.plain"))
          .isInstanceOf(TableMismatchException.class)
          .hasMessageStartingWith(
              "Table shop.plain does not fit its changes:\n  it has no identifier fields, expected")
          .hasMessageContaining("ALTER TABLE … SET IDENTIFIER FIELDS id");
      table
          .updateSchema()
          .allowIncompatibleChanges()
          .requireColumn("id")
          .setIdentifierFields("id")
          .commit();
      assertThat(tables.describe("shop.plain").shape().columns().get(0).key()).isTrue();
    }
  }

  @Test
  void typesWithoutACounterpartAreNamed() {
    Schema schema =
        new Schema(
            List.of(
                Types.NestedField.required(1, "id", Types.LongType.get()),
                Types.NestedField.optional(2, "hash", Types.FixedType.ofLength(4))),
            Set.of(1));
    assertThatThrownBy(() -> RowShapes.of(schema))
        .hasMessage("Column hash has type fixed[4], which no source column maps to");
    assertThat(
            RowShapes.columnType(
                "m", Types.MapType.ofOptional(1, 2, Types.StringType.get(), Types.LongType.get())))
        .isEqualTo(new ColumnType.MapOf(Simple.LONG));
  }
}
