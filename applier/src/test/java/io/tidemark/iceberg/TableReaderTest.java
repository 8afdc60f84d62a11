package io.tidemark.iceberg;

import static io.tidemark.iceberg.Orders.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.data.Record;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TableReaderTest {
  @TempDir private Path directory;
  private Replica job;
  private long firstSnapshot;

  @BeforeEach
  void fill() throws IOException {
    job = new Replica(Catalogs.jdbcInMemory(directory), Orders.table("region"));
    job.commit(
        "c1", 1, put(-5, 1, "us", "it's"), put(300, 2, "eu", "b"), put(7, 3, "", "c, \"d\""));
    firstSnapshot = job.foreign().currentSnapshot().snapshotId();
    job.commit("c2", 2, put(2, 4, "eu", ""), put(7, 5, "eu", "new"));
  }

  @AfterEach
  void close() throws IOException {
    job.close();
  }

  private static RowQuery where(@Nullable String filter, @Nullable Integer limit) {
    return new RowQuery(List.of("id"), false, filter, limit, null);
  }

  private List<Object> ids(RowQuery query) throws IOException {
    List<Object> ids = new ArrayList<>();
    try (TableReader reader = TableReader.open(job.catalog, Orders.TABLE)) {
      reader.read(query, row -> ids.add(row.getField("id")));
    }
    return ids;
  }

  @Test
  void rowsComeInTheOrderOfTheirKeys() throws IOException {
    assertThat(ids(RowQuery.ALL)).containsExactly(-5L, 2L, 7L, 300L);
    assertThat(ids(where(null, 2))).containsExactly(-5L, 2L);
    assertThat(ids(where(null, 0))).isEmpty();
    assertThat(ids(new RowQuery(List.of("note"), false, null, null, firstSnapshot)))
        .containsExactly(-5L, 7L, 300L);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "id = 7 | 1",
        "id != 7 and id <> 2 | 2",
        "id >= -5 AND id<300 | 3",
        "id <= 2 | 2",
        "note = 'it''s' | 1",
        "\"note\" = '' | 1",
        "region is null | 0",
        "region is not null | 4",
        "created_at > '1970-01-01T00:00:00+00:00' and region = 'eu' | 2",
        "_commit_version >= '00000000-0000000000000004' | 2"
      })
  void filtersCount(String filter, int rows) throws IOException {
    assertThat(ids(where(filter, null))).hasSize(rows);
    try (TableReader reader = TableReader.open(job.catalog, Orders.TABLE)) {
      assertThat(reader.count(where(filter, 1))).isEqualTo(rows);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "id",
        "id =",
        "id = x",
        "id = 1.5",
        "nothing = 1",
        "id = 1 or id = 2",
        "id ~ 3",
        "created_at > 'yesterday'",
        "region is 5",
        "region = 5",
        "id between 1"
      })
  void unreadableFiltersAreRefused(String filter) {
    assertThatThrownBy(() -> ids(where(filter, null)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("The filter \"" + filter + "\" cannot be used: ");
  }

  @Test
  void unknownColumnsAndSnapshotsAreNamed() {
    assertThatThrownBy(() -> ids(new RowQuery(List.of("nope"), false, null, null, null)))
        .hasMessageEndingWith("shop.orders has no column nope");
    assertThatThrownBy(() -> ids(new RowQuery(List.of(), false, null, null, 5L)))
        .hasMessageEndingWith("shop.orders has no snapshot 5");
  }

  @Test
  void jsonHasOneObjectALine() throws IOException {
    assertThat(text("json", new RowQuery(List.of(), true, "id <= 2", null, null)))
        .isEqualTo(
            """
            {"id":-5,"region":"us","created_at":"1969-12-27T00:00:00.000000Z","note":"it's",\
            "_commit_version":"00000000-0000000000000001-0000000000000000-0000000000000000-0-\
            0000000000000001","_source_ts":"1970-01-01T00:00:00.001000Z","_kept":null}
            {"id":2,"region":"eu","created_at":"1970-01-03T00:00:00.000000Z","note":"",\
            "_commit_version":"00000000-0000000000000004-0000000000000000-0000000000000000-0-\
            0000000000000004","_source_ts":"1970-01-01T00:00:00.004000Z","_kept":null}
            """);
  }

  @Test
  void csvQuotesWhatMustBe() throws IOException {
    assertThat(text("csv", new RowQuery(List.of("note", "id"), false, null, null, firstSnapshot)))
        .isEqualTo(
            """
            note,id
            it's,-5
            "c, ""d\""",7
            b,300
            """);
    assertThat(text("csv", new RowQuery(List.of("region"), false, "id=7", null, firstSnapshot)))
        .isEqualTo("region\n\n");
  }

  @Test
  void tableIsAligned() throws IOException {
    assertThat(
            text("table", new RowQuery(List.of("id", "region"), false, null, null, firstSnapshot)))
        .isEqualTo(
            """
             id  region
            ---  ------
             -5  us
              7  ∅
            300  eu
            """);
  }

  private String text(String format, RowQuery query) throws IOException {
    StringWriter text = new StringWriter();
    try (TableReader reader = TableReader.open(job.catalog, Orders.TABLE)) {
      RowFormat out =
          switch (format) {
            case "json" -> new JsonRows(reader.columns(query), text);
            case "csv" -> new CsvRows(reader.columns(query), text);
            default -> new AlignedRows(reader.columns(query), text);
          };
      List<Record> rows = new ArrayList<>();
      reader.read(query, rows::add);
      for (Record row : rows) {
        out.row(row);
      }
      out.end();
    }
    return text.toString();
  }
}
