package io.tidemark.iceberg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.Change;
import io.tidemark.commit.Batch;
import io.tidemark.commit.BatchKey;
import io.tidemark.commit.CommitSequence;
import io.tidemark.commit.Retention;
import io.tidemark.commit.UnavailableException;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.failure.RefusedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A catalog with a cache, which may answer with an older state than it did before. */
class StaleReadsTest {
  @TempDir private Path directory;

  private Replica job;
  private Cache cache;
  private CommitSequence sequence;
  private int checkpoint;

  @BeforeEach
  void start() {
    job = new Replica(Catalogs.jdbcInMemory(directory), Orders.table());
    cache = new Cache(((HasTableOperations) job.foreign()).operations());
    sequence = open(GuardedOperations.guard(new BaseTable(cache, Orders.TABLE)), "job-1", null);
  }

  private CommitSequence open(Table cached, String incarnation, @Nullable String startsFrom) {
    LedgerTables tables =
        new LedgerTables() {
          @Override
          public Table main() {
            return cached;
          }

          @Override
          public Table tombstones() {
            return job.foreignTombstones();
          }

          @Override
          public void close() {}
        };
    IcebergLedger ledger =
        new IcebergLedger(
            tables,
            new IcebergLedgerFactory(job.catalog, Orders.TABLE, job.table.version(), null),
            Replica.AT_ONCE);
    return new CommitSequence(ledger, incarnation, new Retention(30), startsFrom);
  }

  @AfterEach
  void stop() throws Exception {
    job.close();
  }

  private void checkpoint(Change change) throws Exception {
    checkpoint++;
    WrittenFiles files = job.write(change);
    sequence.close(
        checkpoint,
        "c" + checkpoint,
        List.of(new Batch(new BatchKey(checkpoint, 0), files)),
        Replica.record("c" + checkpoint, null, checkpoint, List.of(files)).progress());
    sequence.commit(checkpoint, true);
  }

  @Test
  void stateThatIsOlderThanTheOwnLastCommitIsReadAgain() throws Exception {
    checkpoint(Orders.put(1, 1, "eu", "a"));
    cache.keep();
    checkpoint(Orders.put(2, 2, "eu", "b"));

    cache.answers(3);
    checkpoint(Orders.put(3, 3, "eu", "c"));

    assertThat(cache.answers).isZero();
    assertThat(job.rows()).isEqualTo(Map.of(1L, "eu/a", 2L, "eu/b", 3L, "eu/c"));
    assertThat(job.foreign().snapshots()).hasSize(3);
  }

  @Test
  void stateThatStaysOldIsNoReasonToStopForGood() throws Exception {
    checkpoint(Orders.put(1, 1, "eu", "a"));
    cache.keep();
    checkpoint(Orders.put(2, 2, "eu", "b"));

    cache.answers(Integer.MAX_VALUE);

    assertThatThrownBy(() -> checkpoint(Orders.put(3, 3, "eu", "c")))
        .isInstanceOf(UnavailableException.class)
        .hasRootCauseMessage(
            "The catalog answered with an old state of table "
                + Orders.TABLE
                + ": its last sequence number is 1, and was 2 before");
  }

  /** The plan of a job and its commits read by clients of their own. */
  @Test
  void firstReadOfAJobIsNotOlderThanItsPlan() throws Exception {
    checkpoint(Orders.put(1, 1, "eu", "a"));
    cache.keep();
    checkpoint(Orders.put(2, 2, "eu", "b"));
    Sighting planned = Sighting.of(cache.refresh());

    cache.answers(3);
    Table started = GuardedOperations.guard(new BaseTable(cache, Orders.TABLE), planned);
    open(started, "job-2", "c2").settle();
    assertThat(cache.answers).isZero();

    cache.answers(3);
    Table unplanned = GuardedOperations.guard(new BaseTable(cache, Orders.TABLE));
    assertThatThrownBy(() -> open(unplanned, "job-3", "c2").settle())
        .as("without it that looks like a rollback")
        .isInstanceOf(RefusedException.class);
  }

  @Test
  void tableThatWasRolledBackIsStillRefused() throws Exception {
    checkpoint(Orders.put(1, 1, "eu", "a"));
    long first = job.foreign().currentSnapshot().snapshotId();
    checkpoint(Orders.put(2, 2, "eu", "b"));
    job.foreign().manageSnapshots().setCurrentSnapshot(first).commit();

    assertThatThrownBy(() -> checkpoint(Orders.put(3, 3, "eu", "c")))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("The table was rolled back");
  }

  @Test
  void commitThatLandedAndSaysFailedIsNotDeletedOnTheWordOfAnOldState() throws Exception {
    job.foreign().updateProperties().set("commit.retry.num-retries", "0").commit();
    checkpoint(Orders.put(1, 1, "eu", "a"));

    cache.nextCommitSaysFailed = true; // and what is read then is the state that it built on
    checkpoint(Orders.put(2, 2, "eu", "b"));

    assertThat(cache.nextCommitSaysFailed).isFalse();
    assertThat(job.rows()).isEqualTo(Map.of(1L, "eu/a", 2L, "eu/b"));
    assertThat(job.foreign().snapshots()).hasSize(2);
  }

  /** Answers some reads with a state that it kept. */
  private static final class Cache extends ForwardingOperations {
    private @Nullable TableMetadata kept;
    private @Nullable TableMetadata shown;
    private int answers;
    private boolean nextCommitSaysFailed;

    private Cache(TableOperations real) {
      super(real);
    }

    void keep() {
      kept = real.refresh();
    }

    void answers(int times) {
      answers = times;
    }

    @Override
    public TableMetadata current() {
      return shown == null ? real.current() : shown;
    }

    @Override
    public TableMetadata refresh() {
      if (answers > 0) {
        answers--;
        shown = kept;
      } else {
        shown = real.refresh();
      }
      return current();
    }

    @Override
    public void commit(TableMetadata base, TableMetadata metadata) {
      real.commit(base, metadata);
      shown = null;
      if (nextCommitSaysFailed) {
        nextCommitSaysFailed = false;
        kept = base;
        answers = 1;
        throw new CommitFailedException("the answer to the first request was lost");
      }
    }
  }
}
