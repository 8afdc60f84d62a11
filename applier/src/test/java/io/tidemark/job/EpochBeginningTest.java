package io.tidemark.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.BatchStats;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.InMemoryLedger;
import io.tidemark.commit.NewEpoch;
import io.tidemark.commit.Progress;
import io.tidemark.commit.StartOffsets.Range;
import io.tidemark.failure.RefusedException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class EpochBeginningTest {
  private static final TopicPartition ORDERS = new TopicPartition("orders", 0);

  /** Its offsets were checked against a record that is not the table's any more. */
  @Test
  void aCommitThatLandedMeanwhileIsNotBuiltOn() {
    InMemoryLedger table = new InMemoryLedger();
    CommitRecord seen = record("c1", null, 10);
    table.commit(List.of(), seen);
    NewEpoch epoch =
        NewEpoch.of(
            new NewEpoch.Request("orders", new TreeMap<>(Map.of(0, 12L)), false),
            seen.progress(),
            null,
            Map.of(ORDERS, new Range(0, 100)));
    table.commit(List.of(), record("c2", "c1", 20));

    assertThatThrownBy(() -> EpochBeginning.commit(() -> table, seen, epoch))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith("No epoch was begun: a job is writing to the table");
    assertThat(table.records).extracting(CommitRecord::commitId).containsExactly("c1", "c2");
  }

  private static CommitRecord record(String id, String parent, long read) {
    Progress progress =
        new Progress(Map.of(ORDERS, PartitionProgress.startingAt(0).skippingTo(read)));
    return new CommitRecord(id, parent, "job", 1, progress, BatchStats.NONE, null, null, Map.of());
  }
}
