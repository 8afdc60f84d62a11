package io.tidemark.cli;

import static io.tidemark.cli.CommandLineFixture.config;
import static io.tidemark.cli.CommandLineFixture.file;
import static io.tidemark.cli.CommandLineFixture.tidemark;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.CommandLineFixture.Outcome;
import io.tidemark.config.CatalogSettings;
import io.tidemark.iceberg.IcebergTables;
import io.tidemark.iceberg.TableDefinition;
import io.tidemark.row.Column;
import io.tidemark.row.ColumnType;
import io.tidemark.row.RowShape;
import java.io.IOException;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.parquet.Parquet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShowCommandTest {
  @TempDir private static Path dir;
  private static String file = "";

  @BeforeAll
  static void createTable() throws IOException {
    file = file(dir, config(dir));
    CatalogSettings settings =
        new CatalogSettings("lake", Map.of("type", "hadoop", "warehouse", "file://" + dir));
    RowShape shape =
        new RowShape(
            List.of(
                new Column("id", ColumnType.Simple.LONG, true),
                new Column("name", ColumnType.Simple.STRING, false)));
    try (IcebergTables tables = IcebergTables.open(settings)) {
      tables.ensure(new TableDefinition("shop.orders", shape, List.of(), Map.of(), "auto", ""));
    }
    Table table =
        CatalogUtil.buildIcebergCatalog("lake", settings.properties(), new Configuration())
            .loadTable(TableIdentifier.parse("shop.orders"));
    table.newAppend().appendFile(rows(table, 3, 1, 2)).commit();
  }

  @Test
  void rowsComeInKeyOrder() {
    assertThat(tidemark("show", "-c", file, "shop.orders", "--format", "json"))
        .isEqualTo(
            new Outcome(
                0,
                """
                {"id":1,"name":"n1"}
                {"id":2,"name":"n2"}
                {"id":3,"name":"n3"}
                """,
                ""));
    assertThat(tidemark("show", "-c", file, "shop.orders", "--format", "csv", "--limit", "1").out())
        .isEqualTo("id,name\n1,n1\n");
    assertThat(tidemark("show", "-c", file, "shop.orders", "--where", "id >= 3").out())
        .contains("id", "name", "n3")
        .doesNotContain("n1");
  }

  @Test
  void addedColumnsComeOnRequest() {
    assertThat(tidemark("show", "-c", file, "shop.orders", "--format", "csv", "--meta").out())
        .startsWith("id,name,_commit_version,_source_ts");
  }

  @Test
  void countPrintsTheNumberOnly() {
    assertThat(tidemark("show", "-c", file, "shop.orders", "--count"))
        .isEqualTo(new Outcome(0, "3%n".formatted(), ""));
    assertThat(tidemark("show", "-c", file, "shop.orders", "--count", "--where", "id < 3").out())
        .isEqualTo("2%n".formatted());
  }

  @Test
  void anUnknownTableListsWhatThereIs() {
    Outcome outcome = tidemark("show", "-c", file, "shop.order");

    assertThat(outcome)
        .isEqualTo(
            new Outcome(
                2,
                "",
                "Catalog lake has no table shop.order. Did you mean shop.orders? There are: shop.orders.%n"
                    .formatted()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"id >", "no_such = 1", "id = 'x", "id = abc", "id ~ 4"})
  void aFilterThatCannotBeReadIsAUsageError(String filter) {
    Outcome outcome = tidemark("show", "-c", file, "shop.orders", "--where", filter);

    assertThat(outcome.exit()).isEqualTo(2);
    assertThat(outcome.err()).contains(filter).doesNotContain("\tat ");
    assertThat(outcome.out()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          nam = 'x'|there is no column nam. Did you mean name?
          zzz = 1|there is no column zzz. There are: id, name, _commit_version, _source_ts, _kept
          id = abc|abc is no value of column id, which is long and written as 42
          _source_ts > 'yesterday'|'yesterday' is no value of column _source_ts, which is timestamptz and written as '2026-01-31T12:30:00+00:00'
          """)
  void whatIsWrongWithAFilterIsSaidInPlainWords(String filter, String problem) {
    assertThat(tidemark("show", "-c", file, "shop.orders", "--where", filter))
        .isEqualTo(
            new Outcome(
                2, "", "The filter \"%s\" cannot be used: %s%n".formatted(filter, problem)));
  }

  @Test
  void anUnknownSnapshotIsAUsageError() {
    Outcome outcome = tidemark("show", "-c", file, "shop.orders", "--snapshot", "7");

    assertThat(outcome.exit()).isEqualTo(2);
    assertThat(outcome.err()).contains("has no snapshot 7");
  }

  @Test
  void badOptionsAreUsageErrors() {
    assertThat(tidemark("show", "-c", file, "shop.orders", "--limit", "-1").err())
        .contains("--limit: found \"-1\", expected a number of rows, at least 0");
    assertThat(tidemark("show", "-c", file, "shop.orders", "--format", "xml").err())
        .contains("--format: found \"xml\", expected table, json or csv");
    assertThat(tidemark("show", "-c", file, "shop.orders", "--format", "xml").exit()).isEqualTo(2);
    assertThat(tidemark("show", "-c", file).err()).contains("TABLE");
  }

  @Test
  @Timeout(60)
  void aCatalogThatIsAwayIsAFailure() throws IOException {
    Path other = dir.resolve("away");
    String text =
        config(dir)
            .replaceAll(
                "properties: \\{.*}", "properties: {type: rest, uri: 'http://127.0.0.1:1'}");
    java.nio.file.Files.createDirectories(other);
    Outcome outcome = tidemark("show", "-c", file(other, text), "shop.orders", "--timeout", "2");

    assertThat(outcome.exit()).isEqualTo(3);
    assertThat(outcome.err())
        .startsWith("catalog lake (catalog.properties): ")
        .doesNotContain("\tat ");
  }

  private static DataFile rows(Table table, long... ids) throws IOException {
    List<GenericRecord> rows = new ArrayList<>();
    for (long id : ids) {
      GenericRecord row = GenericRecord.create(table.schema());
      row.setField("id", id);
      row.setField("name", "n" + id);
      row.setField("_commit_version", "00");
      row.setField("_source_ts", OffsetDateTime.parse("2026-01-31T12:00:00Z"));
      rows.add(row);
    }
    DataWriter<GenericRecord> writer =
        Parquet.writeData(table.io().newOutputFile(table.location() + "/data/rows.parquet"))
            .schema(table.schema())
            .withSpec(table.spec())
            .createWriterFunc(GenericParquetWriter::create)
            .build();
    try (writer) {
      rows.forEach(writer::write);
    }
    return writer.toDataFile();
  }
}
