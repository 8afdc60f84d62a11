package io.tidemark.iceberg;

import io.tidemark.change.Change;
import io.tidemark.change.CommitVersion;
import io.tidemark.change.KeyWriter;
import io.tidemark.change.Kind;
import io.tidemark.change.Position;
import io.tidemark.change.PrimaryKey;
import io.tidemark.flink.row.BinaryRowEncoder;
import io.tidemark.row.Column;
import io.tidemark.row.ColumnType.Simple;
import io.tidemark.row.RowShape;
import java.util.List;
import java.util.Map;

/** A small table and its changes. */
final class Orders {
  static final String TABLE = "shop.orders";
  static final long DAY = 86_400_000_000L;
  static final RowShape SHAPE =
      new RowShape(
          List.of(
              new Column("id", Simple.LONG, true),
              new Column("region", Simple.STRING, false),
              new Column("created_at", Simple.TIMESTAMPTZ, false),
              new Column("note", Simple.STRING, false)));

  private Orders() {}

  static TableDefinition table(String... partition) {
    return new TableDefinition(TABLE, SHAPE, List.of(partition), Map.of(), "postgres", "[]");
  }

  static Change put(long id, long version, String region, String note) {
    BinaryRowEncoder row = new BinaryRowEncoder(SHAPE);
    row.setLong(0, id);
    if (!region.isEmpty()) {
      row.setString(1, region);
    }
    row.setLong(2, id % 7 * DAY);
    row.setString(3, note);
    return new Change(key(id), Kind.UPSERT, version(version), version * 1000, row.finish());
  }

  static Change delete(long id, long version) {
    BinaryRowEncoder row = new BinaryRowEncoder(SHAPE);
    row.setLong(0, id);
    return new Change(key(id), Kind.DELETE, version(version), version * DAY / 10, row.finish());
  }

  static PrimaryKey key(long id) {
    KeyWriter key = new KeyWriter().start();
    key.writeLong(id);
    return key.finish();
  }

  static CommitVersion version(long version) {
    return new CommitVersion(0, new Position(version, 0, 0), CommitVersion.STREAM, version);
  }
}
