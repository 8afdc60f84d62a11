package io.tidemark.iceberg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.Change;
import io.tidemark.change.CommitVersion;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import io.tidemark.commit.Batch;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.ForeignWriteException;
import io.tidemark.commit.RecordCodec;
import io.tidemark.commit.Retention;
import io.tidemark.commit.TableChangedException;
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
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/**
 * A random history of one table: checkpoints of a job and of a second copy of it, on a catalog that
 * fails, with compaction, expiry and restarts in between. After each step the table is compared
 * with what a map says.
 */
final class FaultyCommitSequence implements AutoCloseable {
  private final Random random;
  private final int daysTooEarly;
  private final CatalogSettings catalog;
  private Replica job;
  private IcebergLedger ledger;
  private final Map<Long, Change> truth = new HashMap<>();
  private final Map<Long, Change> buried = new HashMap<>();
  private final List<Change> tombstones = new ArrayList<>();
  private final List<String> landed = new ArrayList<>();
  private @Nullable CommitRecord last;
  private long version;
  private long droppedBefore = Retention.NONE;

  /** Changes and the files that they became. */
  private record Work(List<Change> changes, List<WrittenFiles> batches) {}

  FaultyCommitSequence(long seed, Path directory) {
    this(seed, directory, 0);
  }

  /**
   * A history with a bug planted.
   *
   * @param daysTooEarly how many days tombstones are dropped before the table's record lets them go
   */
  FaultyCommitSequence(long seed, Path directory, int daysTooEarly) {
    this.daysTooEarly = daysTooEarly;
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
    job =
        new Replica(
            catalog,
            new TableDefinition(
                Orders.TABLE,
                Orders.SHAPE,
                orders.partition(),
                Map.of("format-version", format),
                "postgres",
                "[]"));
    ledger = faultyLedger();
  }

  private IcebergLedger faultyLedger() {
    return new IcebergLedger(
        new FaultyTables(catalog, random),
        new IcebergLedgerFactory(catalog, Orders.TABLE, job.table.version(), null),
        Replica.AT_ONCE) {
      @Override
      long forgottenBefore(CommitRecord parent, CommitRecord record) {
        return super.forgottenBefore(parent, record) + daysTooEarly * Orders.DAY;
      }
    };
  }

  void run() throws IOException, InterruptedException {
    int checkpoints = 2 + random.nextInt(3);
    for (int i = 1; i <= checkpoints; i++) {
      if (random.nextInt(5) == 0) {
        anotherSpec("evolved-" + i);
      } else if (random.nextInt(5) == 0 && job.foreign().currentSnapshot() != null) {
        foreignRows("foreign-" + i);
      }
      checkpoint(i);
      check();
      if (random.nextInt(3) == 0) {
        Compaction.run(job.foreign());
        Compaction.run(job.foreignTombstones());
      }
      if (random.nextInt(4) == 0) {
        Compaction.expire(job.foreign());
        if (pinIsOnTop()) {
          Compaction.expire(job.foreignTombstones());
        }
      }
      if (random.nextInt(3) == 0) {
        job.seed();
        assertThat(job.marks).isEqualTo(expectedMarks());
      }
    }
    check();
  }

  /**
   * Whether expiry leaves the pinned tombstones, or what a compaction made of them. Where others
   * lie above them it does not, and the job says so (see {@link TombstoneLogTest}).
   */
  private boolean pinIsOnTop() {
    Long pin = last == null ? null : last.tombstoneSnapshot();
    for (Snapshot snapshot : SnapshotUtil.currentAncestors(job.foreignTombstones())) {
      if (OwnHistory.summary(snapshot).containsKey(RecordCodec.COMMIT_ID)) {
        return pin == null || pin == snapshot.snapshotId();
      }
    }
    return true;
  }

  private void checkpoint(int number) throws IOException, InterruptedException {
    Work work = work(job);
    String parent = parent();
    boolean overtaken = random.nextInt(4) == 0;
    if (overtaken) {
      otherJob("other-" + number, parent);
    }
    String id = "c" + number;
    CommitRecord wanted = record(id, parent, work.batches());
    List<Batch> batches = Replica.batches(work.batches());
    CommitRecord answer = ledger.commit(batches, wanted);
    if (overtaken) {
      assertThat(answer).isEqualTo(last);
      startAgain();
      return;
    }
    landed(answer, work, id);
    if (random.nextInt(3) == 0) {
      assertThat(ledger.commit(batches, wanted)).isEqualTo(answer);
    }
    if (random.nextInt(4) == 0) {
      loser("loser-" + number, parent);
    }
  }

  /** Somebody changes the partitioning: what was written for the old one is refused. */
  private void anotherSpec(String id) throws IOException, InterruptedException {
    FaultyTables.happens("partitioning changed");
    List<WrittenFiles> files = work(job).batches();
    Table table = job.foreign();
    // A number of its own: going back to a spec that the job knows would be nothing new to it.
    int buckets = 3 + table.specs().size();
    table.updateSpec().addField(id.replace('-', '_'), Expressions.bucket("id", buckets)).commit();
    CommitRecord record = Replica.record(id, parent(), version, files);
    assertThatThrownBy(() -> ledger.commit(Replica.batches(files), record))
        .isInstanceOf(TableChangedException.class);
    startAgain();
  }

  /** A job that was refused is over. */
  private void startAgain() throws IOException, InterruptedException {
    close();
    job = new Replica(catalog, Orders.table());
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
    CommitRecord record = Replica.record(id, parent(), version, files);
    assertThatThrownBy(() -> ledger.commit(Replica.batches(files), record))
        .isInstanceOf(ForeignWriteException.class);
    table.manageSnapshots().setCurrentSnapshot(before).commit();
    startAgain();
  }

  private @Nullable String parent() {
    return last == null ? null : last.commitId();
  }

  /** Another copy of the job, which starts from the table and is faster. */
  private void otherJob(String id, @Nullable String parent)
      throws IOException, InterruptedException {
    try (Replica other = new Replica(catalog, Orders.table());
        IcebergLedger its = faultyLedger()) {
      other.seed();
      Work work = work(other);
      List<WrittenFiles> files = work.batches();
      landed(its.commit(Replica.batches(files), record(id, parent, files)), work, id);
    }
  }

  /** Another copy of the job, which still builds on what was there before. */
  private void loser(String id, @Nullable String parent) throws IOException, InterruptedException {
    try (Replica other = new Replica(catalog, Orders.table());
        IcebergLedger its = faultyLedger()) {
      List<WrittenFiles> files = work(other).batches();
      assertThat(its.commit(Replica.batches(files), record(id, parent, files))).isEqualTo(last);
    }
  }

  /** The horizon follows the newest change, of which ten are made a day. */
  private CommitRecord record(String id, @Nullable String parent, List<WrittenFiles> files) {
    CommitRecord made = Replica.record(id, parent, version, files);
    return new CommitRecord(
        id,
        parent,
        made.incarnation(),
        made.checkpoint(),
        made.progress(),
        made.stats(),
        null,
        LocalDate.ofEpochDay(version / 10 - 1));
  }

  private Work work(Replica by) throws IOException, InterruptedException {
    List<Change> all = new ArrayList<>();
    List<WrittenFiles> batches = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      Map<Long, Change> changes = new TreeMap<>();
      for (int j = random.nextInt(5); j > 0; j--) {
        long id = random.nextInt(8);
        version++;
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

  private void landed(@Nullable CommitRecord answer, Work work, String id) {
    assertThat(answer).isNotNull();
    assertThat(answer.commitId()).isEqualTo(id);
    if (last != null && work.changes().stream().anyMatch(c -> c.kind() == Kind.DELETE)) {
      droppedBefore = forgottenBefore(last);
    }
    last = answer;
    landed.add(id);
    for (Change change : work.changes()) {
      long row = id(change);
      if (change.kind() == Kind.DELETE) {
        tombstones.add(change);
        buried.put(row, change);
        truth.remove(row);
      } else {
        truth.put(row, change);
      }
    }
  }

  private void check() throws IOException, InterruptedException {
    Table table = job.foreign();
    assertThat(rows()).isEqualTo(expectedRows());
    if (last != null) {
      // All that the record promises, and nothing that was forgotten when tombstones came last.
      assertThat(buriedInTheTable(last.horizon()))
          .containsExactlyInAnyOrderElementsOf(remembered(forgottenBefore(last)));
      assertThat(buriedInTheTable(null))
          .containsExactlyInAnyOrderElementsOf(remembered(droppedBefore));
    }
    assertThat(job.ledger.last()).isEqualTo(last);
    Set<String> records = new HashSet<>();
    for (Snapshot snapshot : table.snapshots()) {
      if (RecordCodec.isRecord(snapshot.summary())) {
        String id = snapshot.summary().get(RecordCodec.COMMIT_ID);
        assertThat(landed).contains(id);
        assertThat(records.add(id)).as("%s landed once", id).isTrue();
      }
      LiveFiles.areThereOnce(table, snapshot);
    }
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

  private Map<Long, String> expectedRows() {
    Map<Long, String> rows = new TreeMap<>();
    truth.forEach((id, change) -> rows.put(id, change.version().toText()));
    return rows;
  }

  private static long forgottenBefore(CommitRecord record) {
    return Retention.forgottenBefore(Retention.micros(record.horizon()));
  }

  private List<String> remembered(long from) {
    return tombstones.stream()
        .filter(change -> change.sourceTimeMicros() >= from)
        .map(change -> id(change) + "@" + change.version().toText())
        .toList();
  }

  private List<String> buriedInTheTable(@Nullable LocalDate horizon)
      throws IOException, InterruptedException {
    List<String> found = new ArrayList<>();
    Map<PrimaryKey, Long> ids = new HashMap<>();
    for (long id = 0; id < 8; id++) {
      ids.put(Orders.key(id), id);
    }
    new IcebergSeed(
            catalog, Orders.TABLE, null, last == null ? null : last.tombstoneSnapshot(), horizon)
        .read(
            (key, mark) -> {
              synchronized (found) {
                found.add(ids.get(key) + "@" + mark.version().toText());
              }
            });
    return found;
  }

  private Map<PrimaryKey, Mark> expectedMarks() throws IOException, InterruptedException {
    Map<PrimaryKey, Mark> marks = new HashMap<>();
    long from = last == null ? Retention.NONE : forgottenBefore(last);
    for (Change change : buried.values()) {
      long at = change.sourceTimeMicros();
      if (at >= from) {
        marks.put(change.key(), Mark.deleted(change.version(), at));
      }
    }
    RowPlacement placement =
        new RowPlacement(job.foreign().schema(), job.foreign().specs().values(), Orders.SHAPE);
    for (Change change : truth.values()) {
      CommitVersion at = change.version();
      marks.put(
          change.key(),
          new Mark(at, Kind.UPSERT, Change.UNKNOWN_CONTENT, placement.of(change.row())));
    }
    return marks;
  }

  private static long id(Change change) {
    for (long id = 0; id < 8; id++) {
      if (Orders.key(id).equals(change.key())) {
        return id;
      }
    }
    throw new AssertionError(change);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    ledger.close();
    job.close();
  }
}
