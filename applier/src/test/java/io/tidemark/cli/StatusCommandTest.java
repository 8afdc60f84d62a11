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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Without a broker; replay-tests have it with one. */
@Timeout(60)
class StatusCommandTest {
  @TempDir private Path dir;

  @Test
  void aTableWithoutRecordIsShownWhenTheBrokerIsAway() throws IOException {
    createTable();

    Outcome outcome = tidemark("status", "-c", named(), "--timeout", "3", "--count");

    assertThat(outcome.exit()).isZero();
    assertThat(outcome.out())
        .startsWith("shop.orders\n  rows        0 (counted)\n  snapshot    none yet\n")
        .contains("spec 0      bucket(4, id)")
        .contains("commit      none: the table has no record of Tidemark")
        .contains("kafka       away, so the lag is unknown: kafka.bootstrap.servers (127.0.0.1:1)");
  }

  @Test
  void jsonIsAnObjectALine() throws IOException {
    createTable();

    Outcome outcome = tidemark("status", "-c", named(), "--timeout", "3", "--format", "json");

    assertThat(outcome.out().lines())
        .singleElement()
        .asString()
        .startsWith("{\"table\":\"shop.orders\",\"topic\":\"x.shop.orders\",\"exists\":true,")
        .contains("\"commit\":null", "\"lag\":null");
  }

  @Test
  void aTableThatDoesNotExistIsShown() throws IOException {
    assertThat(tidemark("status", "-c", named(), "--timeout", "3").out())
        .startsWith("shop.orders\n  table       there is none yet\n");
  }

  @Test
  void whereNothingTellsTheTablesTheBrokerIsMissed() throws IOException {
    Outcome outcome = tidemark("status", "-c", file(dir, config(dir)), "--timeout", "4");

    assertThat(outcome.exit()).isEqualTo(3);
    assertThat(outcome.err()).startsWith("kafka.bootstrap.servers (127.0.0.1:1): no broker");
  }

  @Test
  void badOptionsAreUsageErrors() throws IOException {
    Outcome outcome = tidemark("status", "-c", named(), "--format", "csv");

    assertThat(outcome.exit()).isEqualTo(2);
    assertThat(outcome.err()).contains("--format: found \"csv\", expected table or json");
  }

  private String named() throws IOException {
    return file(dir, config(dir).replace("topics: shop\\..*", "topics: [x.shop.orders]"));
  }

  private void createTable() {
    CatalogSettings settings =
        new CatalogSettings("lake", Map.of("type", "hadoop", "warehouse", "file://" + dir));
    RowShape shape = new RowShape(List.of(new Column("id", ColumnType.Simple.LONG, true)));
    try (IcebergTables tables = IcebergTables.open(settings)) {
      tables.ensure(
          new TableDefinition(
              "shop.orders", shape, List.of("bucket(4, id)"), Map.of(), "auto", ""));
    }
  }
}
