package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.commit.Batch;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.TableLedger;
import io.tidemark.failure.RefusedException;
import io.tidemark.fault.ForwardingLedger;
import io.tidemark.fault.Parts;
import io.tidemark.flink.CommitOperator;
import io.tidemark.replay.SimulatedJob.Saved;
import io.tidemark.replay.SimulatedJob.Shape;
import io.tidemark.script.EventScript;
import io.tidemark.script.ScriptOptions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A state and a table that do not belong together, with the real operators on a real catalog. */
class StatefulRestoreTest {
  private static final List<String> PARTITIONING = List.of("bucket(2, id)");

  private final EventScript script =
      EventScript.of(ScriptOptions.of(5).partitions(1).size(10, 60).repeated(0, 0, 0));
  private long checkpoint;

  @Test
  void anOlderSavepointIsRefusedAndAStartWithoutStateGoesOn() throws Exception {
    SimulatedTable table = table("older");
    Saved older = firstOfTwoCommits(table);

    assertRefused(table, older, "The table is ahead of this job: its last commit is ");
    toTheEndWithoutState(table);
    assertThat(table.problems()).isEmpty();
  }

  @Test
  void aTableThatWasRolledBackIsRefusedAndAStartWithoutStateGoesOn() throws Exception {
    SimulatedTable table = table("rollback");
    SimulatedJob job = job(table, Parts.REAL, null);
    commit(job, 20);
    long first = table.open().currentSnapshot().snapshotId();
    commit(job, 15);
    Saved third = commit(job, 15); // its state names the second commit as the last that landed
    job.close();
    table.open().manageSnapshots().rollbackTo(first).commit();

    assertRefused(table, third, "The table was rolled back, or dropped and created anew.");
    toTheEndWithoutState(table);
    assertThat(table.problems()).isEmpty();
  }

  @Test
  void aTableThatWasDroppedAndCreatedAnewIsRefusedAndAStartWithoutStateReadsAll() throws Exception {
    SimulatedTable table = table("dropped");
    SimulatedJob job = job(table, Parts.REAL, null);
    Saved first = commit(job, 20);
    Saved second = commit(job, 20);
    job.close();
    Catalog catalog =
        CatalogUtil.buildIcebergCatalog(
            table.catalog().name(), table.catalog().properties(), new Configuration());
    catalog.dropTable(TableIdentifier.parse(SimulatedTable.NAME), true);
    catalog.dropTable(TableIdentifier.parse(SimulatedTable.NAME + "__tombstones"), true);
    SimulatedTable anew = new SimulatedTable(table.catalog(), script.log(), PARTITIONING);

    assertRefused(anew, first, "and not in the table, and its files are gone, the first of them ");
    assertRefused(
        anew, second, "it has no commit of Tidemark. The table was rolled back, or dropped");
    toTheEndWithoutState(anew);
    assertThat(anew.problems()).isEmpty();
  }

  @Test
  void plantedBugAnOlderSavepointThatGoesOnIsCaught() throws Exception {
    SimulatedTable table = table("unfenced");
    SimulatedJob job = job(table, Parts.REAL, null);
    Saved older = commit(job, 20);
    String known = Objects.requireNonNull(last(table)).commitId();
    commit(job, 20);
    job.close();
    Parts unfenced =
        new Parts() {
          @Override
          public CommitOperator.LedgerFactory ledgers(CommitOperator.LedgerFactory real) {
            return () -> new Unfenced(real.open(), known);
          }
        };

    SimulatedJob restored = job(table, unfenced, older);
    toTheEnd(restored);

    assertThat(table.problems()).isNotEmpty();
  }

  private Saved firstOfTwoCommits(SimulatedTable table) throws Exception {
    SimulatedJob job = job(table, Parts.REAL, null);
    Saved first = commit(job, 20);
    commit(job, 20);
    job.close();
    return first;
  }

  private static void assertRefused(SimulatedTable table, Saved saved, String message) {
    long before = snapshot(table);
    assertThatThrownBy(() -> job(table, Parts.REAL, saved))
        .rootCause()
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("tidemark run -c FILE");
    assertThat(snapshot(table)).isEqualTo(before);
  }

  private static long snapshot(SimulatedTable table) {
    return table.open().currentSnapshot() == null
        ? -1
        : table.open().currentSnapshot().snapshotId();
  }

  private void toTheEndWithoutState(SimulatedTable table) throws Exception {
    toTheEnd(job(table, Parts.REAL, null));
  }

  private void toTheEnd(SimulatedJob job) throws Exception {
    while (!job.isAtEnd()) {
      commit(job, 15);
    }
    job.close();
  }

  private Saved commit(SimulatedJob job, int records) throws Exception {
    job.read(0, records);
    Saved saved = Objects.requireNonNull(job.checkpoint(++checkpoint, false));
    job.complete(checkpoint);
    return saved;
  }

  private static SimulatedJob job(SimulatedTable table, Parts parts, @Nullable Saved saved)
      throws Exception {
    CommitRecord record = last(table);
    Map<Integer, Long> from = new TreeMap<>(Map.of(0, 0L));
    if (record != null) {
      record.progress().partitions().forEach((tp, p) -> from.put(tp.partition(), p.nextOffset()));
    }
    return new SimulatedJob(table, parts, new Shape(1, 2, 1 << 20, 0), new Random(3), from, saved);
  }

  private static @Nullable CommitRecord last(SimulatedTable table) {
    try (TableLedger ledger = table.ledgers().open(failures -> failures < 5)) {
      return ledger.last();
    }
  }

  private SimulatedTable table(String name) {
    return new SimulatedTable(
        SimulatedTable.inMemory("restore-" + name), script.log(), PARTITIONING);
  }

  /** Takes the table's last commit, whatever it is, for the one that the state knows. */
  private static final class Unfenced extends ForwardingLedger {
    private final String known;
    private boolean committed;

    private Unfenced(TableLedger real, String known) {
      super(real);
      this.known = known;
    }

    @Override
    public @Nullable CommitRecord last() {
      CommitRecord last = real.last();
      return committed || last == null ? last : named(last, known, last.parent());
    }

    @Override
    public @Nullable CommitRecord commit(List<Batch> batches, CommitRecord record) {
      CommitRecord last = real.last();
      committed = true;
      return real.commit(
          batches, named(record, record.commitId(), last == null ? null : last.commitId()));
    }
  }
}
