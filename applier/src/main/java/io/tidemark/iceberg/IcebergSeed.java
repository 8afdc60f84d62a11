package io.tidemark.iceberg;

import io.tidemark.change.Change;
import io.tidemark.change.CommitVersion;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.LiveRows;
import io.tidemark.commit.Retention;
import io.tidemark.config.CatalogSettings;
import io.tidemark.failure.RefusedException;
import io.tidemark.merge.Seed;
import io.tidemark.row.RowShape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/**
 * Reads marks out of a table and its tombstones, at fixed snapshots of both.
 *
 * <p>Only the columns of the key, the version and the partitions are read, by several threads, with
 * deletes applied: two rows of one key are then two live rows, and no memory of superseded rows is
 * needed to say so.
 *
 * @param identifier namespace and name, joined by dots
 * @param snapshot id of the table's snapshot; null for none
 * @param tombstoneSnapshot id of the tombstone table's snapshot that the record names; null for
 *     none
 * @param horizon the record's; null for none. Tombstones that are forgotten by it do not count: of
 *     a key's tombstones older ones may still be there when newer ones were dropped, if somebody
 *     else rewrote files across days
 * @param recorded the rows that the table has by its record; null if that does not say
 * @param adopts whether rows may lack a version although the table does not say yet that it was
 *     adopted
 */
public record IcebergSeed(
    CatalogSettings catalog,
    String identifier,
    @Nullable Long snapshot,
    @Nullable Long tombstoneSnapshot,
    @Nullable LocalDate horizon,
    @Nullable LiveRows recorded,
    boolean adopts)
    implements Seed {
  private static final String MEND =
      ". Nothing was written. Where Kafka still has the whole log, ./tidemark verify -c FILE --repair"
          + " mends it; otherwise roll the table back to the snapshot before";

  private static final String MEND_OR_ANEW =
      ". Nothing was written. Where Kafka still has the whole log, ./tidemark verify -c FILE --repair"
          + " mends it; otherwise roll the table back to the snapshot of the record's commit, where that is"
          + " there and another one, or build the table anew, by a run into a new table";

  /** The seed of a table that has a record. */
  public static IcebergSeed of(
      CatalogSettings catalog, String identifier, @Nullable Long snapshot, CommitRecord record) {
    return new IcebergSeed(
        catalog,
        identifier,
        snapshot,
        record.tombstoneSnapshot(),
        record.horizon(),
        record.stats().live(),
        false);
  }

  /** The seed of a table that is adopted at a snapshot. */
  public static IcebergSeed ofAdopted(
      CatalogSettings catalog, String identifier, @Nullable Long snapshot) {
    return new IcebergSeed(catalog, identifier, snapshot, null, null, null, true);
  }

  @Override
  public LiveRows read(BiConsumer<PrimaryKey, Mark> marks)
      throws IOException, InterruptedException {
    try (OpenCatalog open = OpenCatalog.open(catalog)) {
      Table table = open.table(identifier);
      List<String> keys = StructKeys.names(table.schema());
      LiveRows rows = snapshot == null ? LiveRows.NONE : readRows(table, snapshot, keys, marks);
      refuseOtherRows(rows);
      if (tombstoneSnapshot != null) {
        readTombstones(open.tombstoneTable(identifier), keys, tombstoneSnapshot, marks);
      }
      return rows;
    } catch (IOException | UncheckedIOException | NotFoundException e) {
      throw new IOException("The marks of table " + identifier + " could not be read", e);
    }
  }

  private LiveRows readRows(
      Table table, long from, List<String> keyColumns, BiConsumer<PrimaryKey, Mark> marks)
      throws IOException, InterruptedException {
    Schema columns = columns(table, keyColumns);
    int version = position(columns, AddedColumns.COMMIT_VERSION);
    int kept = position(columns, AddedColumns.KEPT);
    RowShape shape = RowShapes.of(table.schema());
    boolean adopted = adopts || table.properties().containsKey(IcebergTables.ADOPTED);
    Suspects suspects = new Suspects();
    LongAdder count = new LongAdder();
    LongAdder digest = new LongAdder();
    ParallelScan scan = new ParallelScan(table, from, columns);
    scan.read(
        () -> {
          StructKeys keys = new StructKeys(columns, keyColumns);
          RowPlacement placement = new RowPlacement(columns, table.specs().values(), shape);
          return row -> {
            PrimaryKey key = keys.of(row);
            suspects.saw(key);
            byte[] place = placement.encode(row);
            Mark mark =
                adopted && (version < 0 || row.get(version, Object.class) == null)
                    ? Mark.unversioned(place)
                    : new Mark(
                        version(row, version),
                        Kind.UPSERT,
                        Change.UNKNOWN_CONTENT,
                        place,
                        AddedColumns.kept(kept < 0 ? null : row.get(kept, Object.class)));
            count.increment();
            digest.add(LiveRows.hash(mark.version()));
            marks.accept(key, mark);
          };
        });
    refuseDuplicates(scan, () -> new StructKeys(columns, keyColumns), suspects);
    return new LiveRows(count.sum(), digest.sum());
  }

  /** Reads the keys alone; refuses one that is null, or has several rows. */
  void requireKeys(Table table, List<String> keyColumns) throws IOException, InterruptedException {
    Schema columns = table.schema().select(keyColumns);
    Suspects suspects = new Suspects();
    ParallelScan scan = new ParallelScan(table, Objects.requireNonNull(snapshot), columns);
    scan.read(
        () -> {
          StructKeys keys = new StructKeys(columns, keyColumns);
          return row -> suspects.saw(keys.of(row));
        });
    refuseDuplicates(scan, () -> new StructKeys(columns, keyColumns), suspects);
  }

  private void readTombstones(
      Table tombstones, List<String> keyColumns, long pinned, BiConsumer<PrimaryKey, Mark> marks)
      throws IOException, InterruptedException {
    List<String> names = new ArrayList<>(keyColumns);
    names.add(AddedColumns.COMMIT_VERSION);
    names.add(AddedColumns.SOURCE_TS);
    Schema columns = tombstones.schema().select(names);
    int version = position(columns, AddedColumns.COMMIT_VERSION);
    int time = position(columns, AddedColumns.SOURCE_TS);
    long forgottenBefore = Retention.forgottenBefore(Retention.micros(horizon));
    new ParallelScan(tombstones, TombstoneLog.readable(tombstones, pinned), columns)
        .read(
            () -> {
              StructKeys keys = new StructKeys(columns, keyColumns);
              return row -> {
                Long deletedAt = row.get(time, Long.class);
                long at = deletedAt == null ? Mark.NEVER : deletedAt;
                if (at >= forgottenBefore) {
                  marks.accept(keys.of(row), Mark.deleted(version(row, version), at));
                }
              };
            });
  }

  /** What the history would tell was expired, or it calls the rewriting of files a compaction. */
  private void refuseOtherRows(LiveRows found) {
    if (recorded == null || recorded.equals(found)) {
      return;
    }
    throw new RefusedException(
        "Table "
            + identifier
            + " holds "
            + found.count()
            + " live rows at snapshot "
            + snapshot
            + (found.count() == recorded.count()
                ? ", as many as its record says, but not of the versions that it says"
                : ", and its record says " + recorded.count())
            + ": somebody else wrote them or rolled the table back, probably in snapshots that were"
            + " expired since, or rewrote files with other rows"
            + MEND_OR_ANEW);
  }

  /** Two keys may share a hash, so the suspects are counted in a second pass. */
  private void refuseDuplicates(ParallelScan scan, Supplier<StructKeys> keysOf, Suspects suspects)
      throws IOException, InterruptedException {
    if (suspects.isEmpty()) {
      return;
    }
    Map<PrimaryKey, Integer> rows = new ConcurrentHashMap<>();
    scan.read(
        () -> {
          StructKeys keys = keysOf.get();
          return row -> {
            PrimaryKey key = keys.of(row);
            if (suspects.contains(key)) {
              rows.merge(key, 1, Integer::sum);
            }
          };
        });
    rows.values().removeIf(count -> count == 1);
    if (!rows.isEmpty()) {
      throw new RefusedException(
          "Table "
              + identifier
              + " holds more than one live row for "
              + rows.size()
              + " of its keys, "
              + rows.values().stream().mapToInt(Integer::intValue).sum()
              + " rows in all, at snapshot "
              + snapshot
              + (adopts ? ". Leave one of each" : MEND));
    }
  }

  private CommitVersion version(StructLike row, int position) {
    Object text = row.get(position, Object.class);
    if (text == null) {
      throw new RefusedException(
          "Table "
              + identifier
              + " has a row without "
              + AddedColumns.COMMIT_VERSION
              + ": it was not written by Tidemark"
              + MEND);
    }
    return CommitVersion.parse(text.toString());
  }

  /** The columns of the key, the version and the partitions, in the order of the table. */
  static Schema columns(Table table, List<String> keys) {
    Set<String> names = new HashSet<>(keys);
    names.add(AddedColumns.COMMIT_VERSION);
    if (table.schema().findField(AddedColumns.KEPT) != null) {
      names.add(AddedColumns.KEPT);
    }
    for (PartitionSpec spec : table.specs().values()) {
      for (PartitionField field : spec.fields()) {
        Types.NestedField source = table.schema().asStruct().field(field.sourceId());
        if (source != null) {
          names.add(source.name());
        }
      }
    }
    return table.schema().select(names);
  }

  /** Its position; -1 if there is no such column. */
  private static int position(Schema columns, String name) {
    return columns.columns().indexOf(columns.asStruct().field(name));
  }
}
