package io.tidemark.iceberg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.Change;
import io.tidemark.change.PrimaryKey;
import io.tidemark.commit.Batch;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.ForeignWriteException;
import io.tidemark.commit.RecordCodec;
import io.tidemark.commit.TableChangedException;
import io.tidemark.commit.TableLedger;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.config.CatalogSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.expressions.Expressions;
import org.jspecify.annotations.Nullable;

/**
 * A random history of one table: checkpoints of a job and of a second copy of it, on a catalog that
 * fails, with compaction, expiry and restarts in between. After each step the table is compared
 * with what a map says.
 */
final class FaultyCommitSequence implements AutoCloseable {
  private final Random random;
  private final TablePlant plant;
  private final OtherColumns columns;
  private final CatalogSettings catalog;
  private Replica job;
  private TableLedger ledger;
  private final List<DeadJob> dead = new ArrayList<>();
  private final ExpectedTable expected = new ExpectedTable();
  private final String options;
  private final Set<Long> keys = new HashSet<>();
  private long version;

  /** Changes and the files that they became. */
  private record Work(List<Change> changes, List<WrittenFiles> batches) {}

  /** A history in which somebody changes the columns, too. */
  FaultyCommitSequence(long seed, Path directory) {
    // Dice of their own: what happened once at a seed happens there still without them.
    this(seed, directory, new OtherColumns(new Random(~seed)), TablePlant.NONE);
  }

  /** A history in which nobody changes the columns, with a bug planted. */
  FaultyCommitSequence(long seed, Path directory, TablePlant plant) {
    this(seed, directory, OtherColumns.NONE, plant);
  }

  private FaultyCommitSequence(long seed, Path directory, OtherColumns columns, TablePlant plant) {
    this.columns = columns;
    this.plant = plant;
    random = new Random(seed);
    catalog =
        switch ((int) (seed % 12)) {
          case 0 -> Catalogs.HADOOP.in(directory);
          case 1 -> Catalogs.JDBC.in(directory);
          default -> Catalogs.jdbcInMemory(directory);
        };
    String[][] partitions = {{}, {"region"}, {"bucket(2, id)", "region"}};
    TableDefinition orders = Orders.table(partitions[random.nextInt(partitions.length)]);
    String format = random.nextBoolean() ? "2" : "3";
    options = catalog.properties() + ", " + orders.partition() + ", format-version " + format;
    job =
        new Replica(
            catalog,
            new TableDefinition(
                Orders.TABLE,
                Orders.SHAPE,
                orders.partition(),
                Map.of("format-version", format),
                "postgres",
                "[]"),
            plant);
    // Nothing that is tested depends on how long a refused commit waits.
    for (Table table : List.of(job.foreign(), job.foreignTombstones())) {
      table
          .updateProperties()
          .set(TableProperties.COMMIT_MIN_RETRY_WAIT_MS, "1")
          .set(TableProperties.COMMIT_MAX_RETRY_WAIT_MS, "2")
          .commit();
    }
    ledger = faultyLedger();
  }

  private TableLedger faultyLedger() {
    long tooEarly = plant == TablePlant.DAYS_TOO_EARLY ? Orders.DAY : 0;
    return plant.ledger(
        new IcebergLedger(
            new FaultyTables(catalog, random, columns::betweenReadAndSwap),
            new IcebergLedgerFactory(catalog, Orders.TABLE, job.table.version(), null),
            Replica.AT_ONCE) {
          @Override
          long forgottenBefore(CommitRecord parent, CommitRecord record) {
            return super.forgottenBefore(parent, record) + tooEarly;
          }
        });
  }

  private Replica copy() {
    return new Replica(catalog, Orders.table(), plant);
  }

  void run() throws IOException, InterruptedException {
    int checkpoints = 2 + random.nextInt(3);
    for (int i = 1; i <= checkpoints; i++) {
      if (random.nextInt(5) == 0) {
        anotherLayout("evolved-" + i);
      } else if (random.nextInt(5) == 0 && job.foreign().currentSnapshot() != null) {
        foreignRows("foreign-" + i);
      }
      deadJobsAreHeardOf();
      try {
        checkpoint(i);
      } catch (TableChangedException e) {
        assertThat(IcebergTables.versionOf(job.foreign())).isNotEqualTo(job.table.version());
        startAgain(); // and nothing of it landed, as the check sees
      }
      check();
      for (int died = random.nextInt(8) - 5; died > 0; died--) {
        dies("dead-" + i + "-" + died);
      }
      maintenance();
      deadJobsAreHeardOf();
      if (random.nextInt(3) == 0) {
        job.seed();
        assertThat(job.marks).isEqualTo(expected.marks(job.foreign()));
      }
    }
    check();
  }

  /** Compaction and expiry as everybody has them, whatever is the current snapshot. */
  private void maintenance() throws IOException {
    if (random.nextInt(3) == 0) {
      Compaction.run(job.foreign());
      Compaction.runOnTombstones(job.foreignTombstones(), expected.pinned());
    }
    if (random.nextInt(4) == 0) {
      if (plant == TablePlant.NO_TAGS) {
        Compaction.dropTags(job.foreignTombstones());
      }
      Compaction.expire(job.foreign());
      Compaction.expire(job.foreignTombstones());
    }
  }

  /** A copy of the job that dies between its tombstones and the table. */
  private void dies(String id) throws IOException, InterruptedException {
    try (Replica dying = copy()) {
      dying.seed();
      Work work = work(dying);
      List<WrittenFiles> files = work.batches();
      CommitRecord wanted = record(id, expected.parent(), files);
      TableVersion known = dying.table.version();
      dead.add(
          DeadJob.after(catalog, random, known, expected.pinned(), wanted, work.changes(), files));
    }
  }

  /** What dead jobs had sent arrives, or one of them was not dead. */
  private void deadJobsAreHeardOf() throws IOException, InterruptedException {
    for (DeadJob job : List.copyOf(dead)) {
      int dice = random.nextInt(6);
      if (dice == 0) {
        job.appendsAgain(this.job.foreignTombstones());
      } else if (dice == 1) {
        dead.remove(job);
        if (job.commitArrives(this.job.foreign(), expected.parent())) {
          expected.landed(job.record(), job.changes(), job.record().commitId());
          startAgain();
        }
      }
    }
  }

  private void checkpoint(int number) throws IOException, InterruptedException {
    Work work = work(job);
    String parent = expected.parent();
    boolean overtaken = random.nextInt(4) == 0;
    if (overtaken) {
      otherJob("other-" + number, parent);
    }
    String id = "c" + number;
    CommitRecord wanted = record(id, parent, work.batches());
    List<Batch> batches = Replica.batches(work.batches());
    CommitRecord answer = ledger.commit(batches, wanted);
    if (overtaken) {
      assertThat(answer).isEqualTo(expected.last());
      startAgain();
      return;
    }
    expected.landed(answer, work.changes(), id);
    OtherColumns.areThoseOf(job.table.version(), job.foreign(), id);
    if (random.nextInt(3) == 0) {
      assertThat(ledger.commit(batches, wanted)).isEqualTo(answer);
    }
    if (random.nextInt(4) == 0) {
      loser("loser-" + number, parent);
    }
  }

  /** Somebody changes partitioning or columns: what was written for the old ones is refused. */
  private void anotherLayout(String id) throws IOException, InterruptedException {
    List<WrittenFiles> files = work(job).batches();
    Table table = job.foreign();
    if (!columns.change(table)) {
      FaultyTables.happens("partitioning changed");
      // A number of its own: going back to a spec that the job knows would be nothing new to it.
      int buckets = 3 + table.specs().size();
      table.updateSpec().addField(id.replace('-', '_'), Expressions.bucket("id", buckets)).commit();
    }
    CommitRecord record = Replica.record(id, expected.parent(), version, files);
    assertThatThrownBy(() -> ledger.commit(Replica.batches(files), record))
        .isInstanceOf(TableChangedException.class);
    startAgain();
  }

  /** A job that was refused is over. */
  private void startAgain() throws IOException, InterruptedException {
    close();
    job = copy();
    ledger = faultyLedger();
    job.seed();
  }

  /** Somebody else appends rows: nothing is committed on top of them. */
  private void foreignRows(String id) throws IOException, InterruptedException {
    FaultyTables.happens("rows of somebody else");
    List<WrittenFiles> files = work(job).batches();
    Table table = job.foreign();
    long before = table.currentSnapshot().snapshotId();
    version++;
    WrittenFiles foreign = job.write(Orders.put(99, version, "eu", "foreign"));
    AppendFiles append = table.newAppend();
    FileDescriptions.readData(foreign.data(), table.specs()).forEach(append::appendFile);
    append.commit();
    CommitRecord record = Replica.record(id, expected.parent(), version, files);
    assertThatThrownBy(() -> ledger.commit(Replica.batches(files), record))
        .isInstanceOf(ForeignWriteException.class);
    table.manageSnapshots().setCurrentSnapshot(before).commit();
    startAgain();
  }

  /** Another copy of the job, which starts from the table and is faster. */
  private void otherJob(String id, @Nullable String parent)
      throws IOException, InterruptedException {
    try (Replica other = copy();
        TableLedger its = faultyLedger()) {
      other.seed();
      Work work = work(other);
      List<WrittenFiles> files = work.batches();
      CommitRecord answer = its.commit(Replica.batches(files), record(id, parent, files));
      expected.landed(answer, work.changes(), id);
    }
  }

  /** Another copy of the job, which still builds on what was there before. */
  private void loser(String id, @Nullable String parent) throws IOException, InterruptedException {
    try (Replica other = copy();
        TableLedger its = faultyLedger()) {
      List<WrittenFiles> files = work(other).batches();
      assertThat(its.commit(Replica.batches(files), record(id, parent, files)))
          .isEqualTo(expected.last());
    }
  }

  /** The horizon follows the newest change, of which ten are made a day. */
  private CommitRecord record(String id, @Nullable String parent, List<WrittenFiles> files) {
    CommitRecord made =
        Replica.counting(Replica.record(id, parent, version, files), files, expected.last());
    LocalDate horizon = LocalDate.ofEpochDay(version / 10 - 1);
    return new CommitRecord(
        id, parent, made.incarnation(), 1, made.progress(), made.stats(), null, horizon, Map.of());
  }

  private Work work(Replica by) throws IOException, InterruptedException {
    List<Change> all = new ArrayList<>();
    List<WrittenFiles> batches = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      Map<Long, Change> changes = new TreeMap<>();
      for (int j = random.nextInt(5); j > 0; j--) {
        long id = random.nextInt(8);
        version++;
        keys.add(id);
        String region = random.nextBoolean() ? "eu" : "us";
        changes.put(
            id,
            random.nextInt(3) == 0
                ? Orders.delete(id, version)
                : Orders.put(id, version, region, "v" + version));
      }
      all.addAll(changes.values());
      batches.add(by.write(changes.values().toArray(new Change[0])));
    }
    return new Work(all, batches);
  }

  private void check() throws IOException, InterruptedException {
    Table table = job.foreign();
    assertThat(rows()).isEqualTo(expected.rows());
    CommitRecord last = expected.last();
    if (last != null) {
      // All that the record promises, and nothing that was forgotten when tombstones came last.
      assertThat(buriedInTheTable(last.horizon()))
          .containsExactlyInAnyOrderElementsOf(
              expected.remembered(ExpectedTable.forgottenBefore(last)));
      assertThat(buriedInTheTable(null))
          .containsExactlyInAnyOrderElementsOf(expected.remembered(expected.droppedBefore()));
    }
    assertThat(job.ledger.last()).isEqualTo(expected.last());
    Set<String> records = new HashSet<>();
    for (Snapshot snapshot : table.snapshots()) {
      if (RecordCodec.isRecord(snapshot.summary())) {
        String id = snapshot.summary().get(RecordCodec.COMMIT_ID);
        assertThat(expected.landed()).contains(id);
        assertThat(records.add(id)).as("%s landed once", id).isTrue();
      }
      LiveFiles.areThereOnce(table, snapshot);
    }
    LiveFiles.haveOneSequenceNumber(table);
    LiveFiles.haveOneSequenceNumber(job.foreignTombstones());
  }

  private Map<Long, String> rows() throws IOException, InterruptedException {
    Map<Long, String> rows = new TreeMap<>();
    try (TableReader reader = TableReader.open(catalog, Orders.TABLE)) {
      reader.read(
          new RowQuery(List.of(), true, null, null, null),
          row ->
              rows.merge(
                  (Long) row.getField("id"),
                  String.valueOf(row.getField(AddedColumns.COMMIT_VERSION)),
                  (a, b) -> a + " AND " + b));
    }
    return rows;
  }

  private List<String> buriedInTheTable(@Nullable LocalDate horizon)
      throws IOException, InterruptedException {
    List<String> found = new ArrayList<>();
    Map<PrimaryKey, Long> ids = new HashMap<>();
    for (long id = 0; id < 8; id++) {
      ids.put(Orders.key(id), id);
    }
    new IcebergSeed(catalog, Orders.TABLE, null, expected.pinned(), horizon, null, false)
        .read(
            (key, mark) -> {
              synchronized (found) {
                found.add(ids.get(key) + "@" + mark.version().toText());
              }
            });
    return found;
  }

  /** How many keys were changed. */
  int keys() {
    return keys.size();
  }

  /** How many snapshots the table has now; all were looked at. */
  int snapshots() {
    return Math.toIntExact(
        StreamSupport.stream(job.foreign().snapshots().spliterator(), false).count());
  }

  /** What it was drawn from. */
  @Override
  public String toString() {
    return options;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    ledger.close();
    job.close();
  }
}
