package io.tidemark.iceberg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.Change;
import io.tidemark.change.KeyWriter;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import io.tidemark.flink.row.BinaryRowEncoder;
import io.tidemark.merge.BatchWriter;
import io.tidemark.merge.RowSource;
import io.tidemark.row.Column;
import io.tidemark.row.ColumnType.Simple;
import io.tidemark.row.RowShape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Keys that are uuids on both sides of the sign: Parquet orders them by their bytes, and Iceberg as
 * signed numbers. Such a file has bounds between which, to Iceberg, there is nothing.
 */
class UuidKeyTest {
  private static final UUID LOW = UUID.fromString("00000000-0000-4000-8000-000000000001");
  private static final UUID MIDDLE = UUID.fromString("7fffffff-ffff-4fff-8fff-ffffffffffff");
  private static final UUID HIGH = UUID.fromString("ffffffff-ffff-4fff-8fff-fffffffffffe");

  private static final RowShape SHAPE =
      new RowShape(
          List.of(new Column("id", Simple.UUID, true), new Column("note", Simple.STRING, false)));

  @TempDir private Path directory;

  @Test
  void rowsAreReplacedDeletedAndFound() throws Exception {
    Catalogs catalog = Catalogs.values()[0];
    TableDefinition definition =
        new TableDefinition("shop.uuids", SHAPE, List.of(), Map.of(), "postgres", "[]");
    TableVersion version;
    try (Replica job = new Replica(catalog.in(directory), definition)) {
      version = job.table.version();
      job.commit("c1", 3, put(LOW, 1, "a"), put(MIDDLE, 2, "b"), put(HIGH, 3, "c"));
      job.commit("c2", 4, put(HIGH, 4, "d"));
      job.commit("c3", 5, put(LOW, 5, "e"));
      job.commit("c4", 7, put(LOW, 6, "f"), put(HIGH, 7, "g"));
      job.commit("c5", 8, delete(MIDDLE, 8));
    }

    RowSource.Wanted wanted =
        new RowSource.Wanted(
            key(LOW),
            new Mark(Orders.version(6), Kind.UPSERT, Change.UNKNOWN_CONTENT, new byte[0]),
            put(LOW, 6, "").row());
    try (BatchWriter other =
        new IcebergBatchWriterFactory(catalog.in(directory), "shop.uuids", SHAPE, version)
            .open(0, 1)) {
      assertThat(other.read(List.of(wanted))).containsOnlyKeys(key(LOW));
    }

    try (TableReader reader = TableReader.open(catalog.in(directory), "shop.uuids")) {
      assertThat(rows(reader, null)).containsExactly(LOW + " f", HIGH + " g");
      assertThat(rows(reader, "id = '" + LOW + "'")).containsExactly(LOW + " f");
      assertThat(rows(reader, "id = '" + HIGH + "' and note = 'g'")).containsExactly(HIGH + " g");
      assertThat(rows(reader, "id != '" + HIGH + "'")).containsExactly(LOW + " f");
      for (String operator : List.of("<", "<=", ">", ">=")) {
        assertThatThrownBy(() -> rows(reader, "id " + operator + " '" + LOW + "'"))
            .hasMessageContaining("column id, which is uuid, is compared with = and != alone");
      }
    }
  }

  private static List<String> rows(TableReader reader, String filter) throws Exception {
    RowQuery query = new RowQuery(List.of(), false, filter, null, null);
    List<String> rows = new ArrayList<>();
    reader.read(query, row -> rows.add(row.getField("id") + " " + row.getField("note")));
    assertThat(reader.count(query)).isEqualTo(rows.size());
    return rows;
  }

  private static Change put(UUID id, long version, String note) {
    BinaryRowEncoder row = new BinaryRowEncoder(SHAPE);
    row.setUuid(0, id);
    row.setString(1, note);
    return change(id, Kind.UPSERT, version, row.finish());
  }

  private static Change delete(UUID id, long version) {
    BinaryRowEncoder row = new BinaryRowEncoder(SHAPE);
    row.setUuid(0, id);
    return change(id, Kind.DELETE, version, row.finish());
  }

  private static Change change(UUID id, Kind kind, long version, byte[] row) {
    return new Change(key(id), kind, Orders.version(version), version * 1000, row);
  }

  private static PrimaryKey key(UUID id) {
    KeyWriter key = new KeyWriter().start();
    key.writeUuid(id);
    return key.finish();
  }
}
