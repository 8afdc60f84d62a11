package io.tidemark.iceberg;

import io.tidemark.change.Change;
import io.tidemark.change.CommitVersion;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import io.tidemark.commit.BatchStats;
import io.tidemark.commit.LiveRows;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.merge.BatchWriter;
import io.tidemark.merge.StoredRow;
import io.tidemark.merge.Winner;
import io.tidemark.row.RowShape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.TypeUtil;

/**
 * Writes batches into Parquet files, sorted by partition and key.
 *
 * <p>A replaced row is deleted by its key in the partition where it lies, under every partition
 * spec of the table: the row may lie where it was written, or where a compaction that nobody told
 * us of put it, or is just about to. If the table has a spec without partitions, a delete under
 * that one alone reaches all rows.
 */
final class IcebergBatchWriter implements BatchWriter {
  private static final Comparator<Winner> BY_KEY =
      Comparator.comparing(winner -> winner.change().key());

  private final Table table;
  private final Table tombstones;
  private final RowPlacement placement;
  private final List<PartitionSpec> deleteSpecs;
  private final BinaryRowStruct row;
  private final BinaryRowStruct key;
  private final BinaryRowStruct tombstone;
  private final FileOutput output;
  private final FileOutput tombstoneOutput;
  private final WrittenRows written;
  private final OpenCatalog catalog;

  /**
   * A writer for one subtask.
   *
   * @param catalog closed with the writer
   */
  IcebergBatchWriter(
      OpenCatalog catalog, String identifier, RowShape shape, int subtask, int attempt) {
    this.catalog = catalog;
    table = catalog.table(identifier);
    tombstones = catalog.tombstoneTable(identifier);
    Schema schema = table.schema();
    Schema keys = TypeUtil.select(schema, schema.identifierFieldIds());
    placement = new RowPlacement(schema, table.specs().values(), shape);
    deleteSpecs = deleteSpecs(table);
    row = new BinaryRowStruct(schema, shape);
    key = new BinaryRowStruct(keys, shape);
    tombstone = new BinaryRowStruct(tombstones.schema(), shape);
    written = new WrittenRows(table, () -> catalog.table(identifier), shape);
    output = new FileOutput(table, keys, subtask, attempt);
    tombstoneOutput = new FileOutput(tombstones, tombstones.schema(), subtask, attempt);
  }

  /** The table as it was loaded. */
  Table table() {
    return table;
  }

  @Override
  public WrittenFiles write(List<Winner> winners) throws IOException {
    List<Winner> sorted = new ArrayList<>(winners);
    sorted.sort(BY_KEY);
    List<DeleteFile> deletes = List.of();
    List<DataFile> data = List.of();
    try {
      deletes = writeDeletes(sorted);
      data = writeRows(sorted);
      List<DataFile> buried = writeTombstones(sorted);
      written.wrote(data);
      return new WrittenFiles(
          FileDescriptions.write(data, table.specs()),
          FileDescriptions.write(deletes, table.specs()),
          FileDescriptions.write(buried, tombstones.specs()),
          stats(sorted, deletes));
    } catch (IOException | RuntimeException e) {
      output.discard(deletes, e);
      output.discard(data, e);
      throw e;
    }
  }

  @Override
  public Map<PrimaryKey, StoredRow> read(List<Wanted> wanted) throws IOException {
    return written.read(wanted);
  }

  @Override
  public void close() {
    catalog.close();
  }

  private List<DeleteFile> writeDeletes(List<Winner> winners) throws IOException {
    List<PartitionGroups> groups = new ArrayList<>();
    for (PartitionSpec spec : deleteSpecs) {
      groups.add(new PartitionGroups(spec, table.schema()));
    }
    boolean any = false;
    for (Winner winner : winners) {
      Mark replaced = winner.replaced();
      if (replaced != null) {
        any = true;
        for (PartitionGroups group : groups) {
          group.add(winner, placement.decode(replaced.partitionValues()));
        }
      }
    }
    return any ? output.deletes(groups, winner -> key.pointTo(winner.change(), "")) : List.of();
  }

  private List<DataFile> writeRows(List<Winner> winners) throws IOException {
    PartitionGroups groups = new PartitionGroups(table.spec(), table.schema());
    boolean any = false;
    for (Winner winner : winners) {
      if (winner.change().kind() == Kind.UPSERT) {
        any = true;
        groups.add(winner, placement.valuesOf(winner.change().row()));
      }
    }
    return any
        ? output.rows(groups, winner -> show(row, winner.change()).keeping(winner.kept()))
        : List.of();
  }

  private List<DataFile> writeTombstones(List<Winner> winners) throws IOException {
    PartitionGroups groups = new PartitionGroups(tombstones.spec(), tombstones.schema());
    boolean any = false;
    for (Winner winner : winners) {
      if (winner.change().kind() == Kind.DELETE) {
        any = true;
        groups.add(winner, tombstone.pointTo(winner.change(), ""));
      }
    }
    return any
        ? tombstoneOutput.rows(groups, winner -> show(tombstone, winner.change()))
        : List.of();
  }

  private static BinaryRowStruct show(BinaryRowStruct struct, Change change) {
    return struct.pointTo(change, change.version().toText());
  }

  /** Where a delete must lie to reach a row wherever it lies. */
  static List<PartitionSpec> deleteSpecs(Table table) {
    List<PartitionSpec> all = new ArrayList<>(table.specs().values());
    return all.stream()
        .filter(PartitionSpec::isUnpartitioned)
        .findFirst()
        .map(List::of)
        .orElse(all);
  }

  private static BatchStats stats(List<Winner> winners, List<DeleteFile> deletes) {
    long upserts = 0;
    long newest = Long.MIN_VALUE;
    CommitVersion highest = null;
    LiveRows live = LiveRows.NONE;
    for (Winner winner : winners) {
      Change change = winner.change();
      upserts += change.kind() == Kind.UPSERT ? 1 : 0;
      newest = Math.max(newest, change.sourceTimeMicros());
      if (highest == null || change.version().compareTo(highest) > 0) {
        highest = change.version();
      }
      Mark replaced = winner.replaced();
      live = replaced == null ? live : live.without(replaced.version());
      live = change.kind() == Kind.UPSERT ? live.and(change.version()) : live;
    }
    return new BatchStats(
        upserts,
        winners.size() - upserts,
        deletes.stream().mapToLong(ContentFile::recordCount).sum(),
        highest == null ? null : highest.toText(),
        newest,
        live);
  }
}
