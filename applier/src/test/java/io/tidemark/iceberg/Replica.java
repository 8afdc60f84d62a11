package io.tidemark.iceberg;

import io.tidemark.change.Change;
import io.tidemark.change.Mark;
import io.tidemark.change.PartitionProgress;
import io.tidemark.change.PrimaryKey;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.Backoff;
import io.tidemark.commit.Batch;
import io.tidemark.commit.BatchKey;
import io.tidemark.commit.BatchStats;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.LiveRows;
import io.tidemark.commit.Progress;
import io.tidemark.commit.TableLedger;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.config.CatalogSettings;
import io.tidemark.merge.BatchWriter;
import io.tidemark.merge.Gate;
import io.tidemark.merge.KeptRows;
import io.tidemark.merge.MarkStore;
import io.tidemark.merge.RowStore;
import io.tidemark.merge.StoredRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/** A job without Flink: one gate, one writer, one ledger, all on a real catalog. */
final class Replica implements AutoCloseable {
  static final Backoff AT_ONCE = failures -> failures < 60;
  static final TopicPartition SOURCE = new TopicPartition("shop.public.orders", 0);

  final CatalogSettings catalog;
  final TableDescription table;
  final Map<PrimaryKey, Mark> marks = new HashMap<>();
  final TableLedger ledger;
  private final OpenCatalog observer;
  private final Gate gate;
  private final BatchWriter writer;

  /** Creates the table where it is missing. */
  Replica(CatalogSettings catalog, TableDefinition definition) {
    this(catalog, definition, TablePlant.NONE);
  }

  /** The same with a bug in its writer. */
  Replica(CatalogSettings catalog, TableDefinition definition, TablePlant plant) {
    this.catalog = catalog;
    observer = OpenCatalog.open(catalog);
    try (IcebergTables tables = IcebergTables.open(catalog)) {
      table = tables.ensure(definition);
    }
    IcebergBatchWriterFactory factory =
        new IcebergBatchWriterFactory(
            catalog, definition.identifier(), definition.shape(), table.version());
    writer = plant.writer(factory.open(0, 0), factory.placement());
    gate =
        new Gate(
            new Marks(marks),
            factory.placement(),
            1 << 20,
            new KeptRows(new NoRows(), writer, factory.splice(), 1, true));
    ledger =
        new IcebergLedgerFactory(catalog, definition.identifier(), table.version(), null)
            .open(AT_ONCE);
  }

  /** Joins changes and writes the winners into files. */
  WrittenFiles write(Change... changes) throws IOException {
    for (Change change : changes) {
      gate.offer(change);
    }
    return writer.write(gate.flush());
  }

  /** Writes and commits one batch on top of what is there. */
  CommitRecord commit(String id, long offset, Change... changes) throws IOException {
    return commit(id, offset, List.of(write(changes)));
  }

  CommitRecord commit(String id, long offset, List<WrittenFiles> batches) {
    CommitRecord last = ledger.last();
    return commit(id, last == null ? null : last.commitId(), offset, batches);
  }

  CommitRecord commit(String id, @Nullable String parent, long offset, List<WrittenFiles> batches) {
    CommitRecord record = record(id, parent, offset, batches);
    return ledger.commit(batches(batches), counting(record, batches, ledger.last()));
  }

  static List<Batch> batches(List<WrittenFiles> files) {
    List<Batch> batches = new ArrayList<>();
    for (WrittenFiles batch : files) {
      batches.add(new Batch(new BatchKey(1, batches.size()), batch));
    }
    return batches;
  }

  static CommitRecord record(
      String id, @Nullable String parent, long offset, List<WrittenFiles> batches) {
    BatchStats stats =
        batches.stream()
            .map(WrittenFiles::stats)
            .reduce(BatchStats.NONE.withLive(null), BatchStats::plus);
    PartitionProgress progress = PartitionProgress.startingAt(0);
    Progress read =
        new Progress(
            Map.of(
                SOURCE,
                new PartitionProgress(
                    offset,
                    0,
                    progress.last().highWater(),
                    progress.last().highWaterTimeMicros(),
                    progress.last().generations())));
    return new CommitRecord(id, parent, "job-1", 1, read, stats, null, null, Map.of());
  }

  /**
   * The same, and how many rows there are.
   *
   * @param parent on which it builds; null for none
   */
  static CommitRecord counting(
      CommitRecord record, List<WrittenFiles> batches, @Nullable CommitRecord parent) {
    LiveRows live = parent == null ? LiveRows.NONE : parent.stats().live();
    for (WrittenFiles files : batches) {
      LiveRows change = files.stats().live();
      live = live == null || change == null ? null : live.plus(change);
    }
    return new CommitRecord(
        record.commitId(),
        record.parent(),
        record.incarnation(),
        record.checkpoint(),
        record.progress(),
        record.stats().withLive(live),
        record.tombstoneSnapshot(),
        record.horizon(),
        record.replay());
  }

  /** The rows that readers see: id to "region/note". */
  Map<Long, String> rows() throws IOException {
    return rows(catalog);
  }

  static Map<Long, String> rows(CatalogSettings catalog) throws IOException {
    Map<Long, String> rows = new TreeMap<>();
    try (TableReader reader = TableReader.open(catalog, Orders.TABLE)) {
      reader.read(
          RowQuery.ALL,
          row -> {
            String text = row.getField("region") + "/" + row.getField("note");
            rows.merge((Long) row.getField("id"), text, (a, b) -> a + " AND " + b);
          });
    }
    return rows;
  }

  /** A handle of somebody else. */
  Table foreign() {
    return observer.table(Orders.TABLE);
  }

  Table foreignTombstones() {
    return observer.tombstoneTable(Orders.TABLE);
  }

  /** The marks that a start without state reads for this record. */
  static Map<PrimaryKey, Mark> seeded(
      CatalogSettings catalog, @Nullable Long snapshot, @Nullable CommitRecord record)
      throws IOException, InterruptedException {
    Map<PrimaryKey, Mark> marks = new ConcurrentHashMap<>();
    seed(catalog, snapshot, record)
        .read((key, mark) -> marks.merge(key, mark, io.tidemark.change.Join::highest));
    return marks;
  }

  private static IcebergSeed seed(
      CatalogSettings catalog, @Nullable Long snapshot, @Nullable CommitRecord record) {
    Long tombstones = record == null ? null : record.tombstoneSnapshot();
    return record == null || snapshot == null // the rows are not asked for, so they do not count
        ? new IcebergSeed(
            catalog,
            Orders.TABLE,
            snapshot,
            tombstones,
            record == null ? null : record.horizon(),
            null,
            false)
        : IcebergSeed.of(catalog, Orders.TABLE, snapshot, record);
  }

  /** Starts over with marks read from the table. */
  void seed() throws IOException, InterruptedException {
    marks.clear();
    CommitRecord last = ledger.last();
    Table now = foreign();
    marks.putAll(
        seeded(
            catalog,
            now.currentSnapshot() == null ? null : now.currentSnapshot().snapshotId(),
            last));
  }

  @Override
  public void close() throws IOException {
    writer.close();
    ledger.close();
    observer.close();
  }

  /** All rows are read from where they were written. */
  private record NoRows() implements RowStore {
    @Override
    public @Nullable StoredRow get(PrimaryKey key) {
      return null;
    }

    @Override
    public void put(PrimaryKey key, StoredRow row) {}

    @Override
    public void remove(PrimaryKey key) {}
  }

  private record Marks(Map<PrimaryKey, Mark> marks) implements MarkStore {
    @Override
    public @Nullable Mark get(PrimaryKey key) {
      return marks.get(key);
    }

    @Override
    public void put(PrimaryKey key, Mark mark) {
      marks.put(key, mark);
    }
  }
}
