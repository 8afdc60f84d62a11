package io.tidemark.iceberg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.commit.Batch;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.CommitRefusedException;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.config.CatalogSettings;
import io.tidemark.failure.RefusedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FaultyCommitsTest {
  private static final long FIRST_SEED =
      Long.getLong("tidemark.seed", Long.getLong("tidemark.runs.first-seed", 1));

  /** The first that fails where expiry meets no tags. */
  private static final long TAGLESS_SEED = Long.getLong("tidemark.seed", 5);

  /** Some of those that follow fail where tombstones go too early: wherever a night begins. */
  private static final long EARLY_SEED = Long.getLong("tidemark.seed", 1);

  /** So many histories must have one that shows a bug; of fewer it is only counted. */
  private static final long ENOUGH = 50;

  @TempDir private Path directory;

  /**
   * They wait much and compute little, so many run at once. After the first failure it gives up.
   */
  @Test
  void everyCheckpointLandsExactlyOnceWhateverTheCatalogDoes() throws Exception {
    TablesReport report = new TablesReport(FIRST_SEED, sequences());
    ExecutorService pool = Executors.newFixedThreadPool(8);
    try {
      List<Future<Void>> runs = new ArrayList<>();
      for (long seed = FIRST_SEED; seed < FIRST_SEED + sequences(); seed++) {
        runs.add(pool.submit(sequence(seed, report, FaultyCommitSequence::new)));
      }
      for (Future<Void> run : runs) {
        run.get();
      }
    } catch (ExecutionException e) {
      report.failed(e.getCause());
      throw e;
    } finally {
      pool.shutdownNow();
      assertThat(pool.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
      report.write();
    }
  }

  /**
   * A compaction landed while a commit of several snapshots was on its way, and was tried again.
   */
  @ParameterizedTest
  @ValueSource(longs = {25000255, 30000280, 31000391})
  void seedsThatFailedOnceStayRight(long seed) throws Exception {
    sequence(
            seed,
            new TablesReport(seed, 1),
            (same, directory) -> new FaultyCommitSequence(same, directory, TablePlant.NONE))
        .call();
  }

  /** Tombstones that had been taken back came again after their files had expired. */
  @Test
  void tombstonesMayComeAgainWithoutTheirFiles() throws Exception {
    sequence(43003241, new TablesReport(43003241, 1), FaultyCommitSequence::new).call();
  }

  private static long sequences() {
    return runs("tables");
  }

  /** As many as {@code tidemark.runs.<tier>} says; one if it is not Maven that runs the test. */
  private static long runs(String tier) {
    if (System.getProperty("tidemark.seed") != null) {
      return 1;
    }
    double scale = Double.parseDouble(System.getProperty("tidemark.runs.scale", "1"));
    return Math.max(1, Math.round(Long.getLong("tidemark.runs." + tier, 1) * scale));
  }

  private Callable<Void> sequence(
      long seed, TablesReport report, BiFunction<Long, Path, FaultyCommitSequence> made) {
    return () -> {
      Path own = Files.createDirectory(directory.resolve("seed-" + seed));
      try (FaultyCommitSequence sequence = made.apply(seed, own)) {
        try {
          sequence.run();
          report.passed(sequence.keys(), sequence.snapshots());
        } catch (Exception | AssertionError e) {
          throw new AssertionError(
              "-Dtest=FaultyCommitsTest -Dtidemark.seed=%d: %s; %s"
                  .formatted(seed, e.getMessage(), sequence),
              e);
        }
      }
      return null;
    };
  }

  @Test
  void plantedBugDaysDroppedBeforeTheirHorizonIsInTheTableAreMissed() {
    assertThatThrownBy(
            () -> {
              for (long seed = EARLY_SEED; seed < EARLY_SEED + 50; seed++) {
                try (FaultyCommitSequence early = planted(TablePlant.DAYS_TOO_EARLY, seed)) {
                  early.run();
                }
              }
            })
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("but could not find the following elements");
  }

  @Test
  void plantedBugWithoutTagsTheTombstonesOfTheRecordExpire() {
    assertThatThrownBy(
            () -> {
              for (long seed = TAGLESS_SEED; seed < TAGLESS_SEED + 100; seed++) {
                try (FaultyCommitSequence tagless = planted(TablePlant.NO_TAGS, seed)) {
                  tagless.run();
                }
              }
            })
        .isInstanceOf(CommitRefusedException.class)
        .hasMessageContaining("The tombstones that belong to the last commit are gone");
  }

  /** A history may end for another reason than its bug's: that is not caught. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void byNightMoreHistoriesShowEachPlantedBug(TablePlant plant) throws Exception {
    long runs = runs("bugs") - 1;
    long caught = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + runs; seed++) {
      try (FaultyCommitSequence history = planted(plant, seed)) {
        history.run();
      } catch (Exception | AssertionError e) {
        caught += plant.isSeenIn(e) ? 1 : 0;
      }
    }
    if (runs > 0) {
      TablesReport.note(
          "bug, %s: caught in %d of %d runs of the tables, seeds %d to %d"
              .formatted(plant, caught, runs, FIRST_SEED, FIRST_SEED + runs - 1));
      assertThat(caught > 0 || runs < ENOUGH).as("%d runs show %s", runs, plant).isTrue();
    }
  }

  private FaultyCommitSequence planted(TablePlant plant, long seed) throws IOException {
    Path own = Files.createDirectory(directory.resolve(plant + "-" + seed));
    return new FaultyCommitSequence(seed, own, plant);
  }

  @ParameterizedTest
  @EnumSource
  void eachFaultAloneEndsInOneCommit(FaultyTables.Fault fault) throws Exception {
    CatalogSettings catalog = Catalogs.HADOOP.in(directory);
    try (Replica job = new Replica(catalog, Orders.table());
        IcebergLedger ledger = ledgerWithOneFault(job, fault, 4, true)) {
      List<WrittenFiles> files = List.of(job.write(Orders.put(1, 1, "eu", "a")));
      CommitRecord made =
          ledger.commit(Replica.batches(files), Replica.record("c1", null, 1, files));
      assertThat(made.commitId()).isEqualTo("c1");
      assertThat(job.rows()).isEqualTo(Map.of(1L, "eu/a"));
      assertThat(job.foreign().snapshots()).hasSize(1);
    }
  }

  @Test
  void aCommitThatLandedAndSaysFailedOnTheLastRetryDoesNotDestroyTheTable() throws Exception {
    try (Replica job = new Replica(Catalogs.HADOOP.in(directory), Orders.table());
        IcebergLedger ledger =
            ledgerWithOneFault(job, FaultyTables.Fault.LANDS_AND_SAYS_FAILED, 0, true)) {
      List<WrittenFiles> files = List.of(job.write(Orders.put(1, 1, "eu", "a")));
      ledger.commit(Replica.batches(files), Replica.record("c1", null, 1, files));
      assertThat(job.rows()).isEqualTo(Map.of(1L, "eu/a"));
    }
  }

  @Test
  void plantedBugWithoutTheGuardThatTableIsUnreadable() throws Exception {
    try (Replica job = new Replica(Catalogs.HADOOP.in(directory), Orders.table());
        IcebergLedger ledger =
            ledgerWithOneFault(job, FaultyTables.Fault.LANDS_AND_SAYS_FAILED, 0, false)) {
      List<WrittenFiles> files = List.of(job.write(Orders.put(1, 1, "eu", "a")));
      ledger.commit(Replica.batches(files), Replica.record("c1", null, 1, files));
      assertThatThrownBy(job::rows)
          .isInstanceOf(RefusedException.class)
          .hasMessageStartingWith("A file of table lake.shop.orders is gone: ")
          .hasMessageContaining("/metadata/snap-");
    }
  }

  private static IcebergLedger ledgerWithOneFault(
      Replica job, FaultyTables.Fault fault, int retries, boolean guarded) {
    job.foreign()
        .updateProperties()
        .set("commit.retry.num-retries", Integer.toString(retries))
        .commit();
    TableOperations real = ((HasTableOperations) job.foreign()).operations();
    Table faulty = new BaseTable(new OneFault(real, fault), Orders.TABLE);
    return ledger(job, guarded ? GuardedOperations.guard(faulty) : faulty, false);
  }

  /**
   * A ledger.
   *
   * @param appliedAgain plants a bug: the library may apply the updates of a transaction again
   */
  private static IcebergLedger ledger(Replica job, Table main, boolean appliedAgain) {
    LedgerTables tables =
        new LedgerTables() {
          @Override
          public Table main() {
            return main;
          }

          @Override
          public Table tombstones() {
            return job.foreignTombstones();
          }

          @Override
          public void close() {}
        };
    return new IcebergLedger(
        tables,
        new IcebergLedgerFactory(job.catalog, Orders.TABLE, job.table.version(), null),
        Replica.AT_ONCE) {
      @Override
      MainCommit mainCommit(CommitRecord record) {
        return !appliedAgain
            ? super.mainCommit(record)
            : new MainCommit(record, job.table.version(), null) {
              @Override
              void attempt(Table attempt, List<Batch> batches) {
                super.attempt(main, batches);
              }
            };
      }
    };
  }

  @Test
  void compactionsBeforeTheSwapLeaveTheOrderOfACommitsSnapshots() throws Exception {
    committedAfterCompactions(false);
  }

  @Test
  void plantedBugOfATransactionAppliedAgainDoublesARow() {
    assertThatThrownBy(() -> committedAfterCompactions(true))
        .isInstanceOf(AssertionError.class)
        .hasMessageMatching("(?s).*1L=\"eu/(a AND eu/c|c AND eu/a)\".*"); // as files are read
  }

  /** Two compactions land after a commit of two snapshots has read the table. */
  private void committedAfterCompactions(boolean appliedAgain) throws Exception {
    try (Replica job = new Replica(Catalogs.jdbcInMemory(directory), Orders.table())) {
      job.commit("c1", 1, Orders.put(1, 1, "eu", "a"));
      TableOperations real = ((HasTableOperations) job.foreign()).operations();
      Table main = new BaseTable(new CompactedFirst(real, job.foreign()), Orders.TABLE);
      try (IcebergLedger ledger = ledger(job, GuardedOperations.guard(main), appliedAgain)) {
        List<WrittenFiles> files =
            List.of(job.write(Orders.put(1, 2, "eu", "c")), job.write(Orders.put(2, 3, "eu", "d")));
        ledger.commit(Replica.batches(files), Replica.record("c2", "c1", 3, files));
      }
      assertThat(job.rows()).isEqualTo(Map.of(1L, "eu/c", 2L, "eu/d"));
      LiveFiles.haveOneSequenceNumber(job.foreign());
    }
  }

  /** Somebody compacts twice before the first commit. */
  private static final class CompactedFirst extends ForwardingOperations {
    private final Table table;
    private boolean done;

    private CompactedFirst(TableOperations real, Table table) {
      super(real);
      this.table = table;
    }

    @Override
    public void commit(TableMetadata base, TableMetadata metadata) {
      if (!done) {
        done = true;
        try {
          Compaction.run(table);
          Compaction.run(table);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      super.commit(base, metadata);
    }
  }

  /** Fails the first commit in one way, and then no more. */
  private static final class OneFault extends ForwardingOperations {
    private final FaultyTables.Operations faulty;
    private final FaultyTables.Fault fault;
    private boolean done;

    private OneFault(TableOperations real, FaultyTables.Fault fault) {
      super(real);
      this.faulty = new FaultyTables.Operations(real, new Random(1));
      this.fault = fault;
    }

    @Override
    public void commit(TableMetadata base, TableMetadata metadata) {
      if (done) {
        super.commit(base, metadata);
      } else {
        done = true;
        faulty.commit(base, metadata, fault);
      }
    }
  }
}
