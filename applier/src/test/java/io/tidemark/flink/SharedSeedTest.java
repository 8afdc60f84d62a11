package io.tidemark.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.Change;
import io.tidemark.change.CommitVersion;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.Position;
import io.tidemark.change.PrimaryKey;
import io.tidemark.commit.LiveRows;
import io.tidemark.merge.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.BiConsumer;
import org.apache.flink.api.common.JobID;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

/** What the subtasks of one process share of a reading; the dry run stands for the gate. */
class SharedSeedTest {
  private static final int KEYS = 300;
  private static final int SUBTASKS = 3;

  private final JobID job = new JobID();
  private final OperatorID operator = new OperatorID();
  private final CountingSeed table = new CountingSeed();

  @Test
  void theTableIsReadOnceForAllSubtasks() throws Exception {
    try (var first = subtask(0);
        var second = subtask(1);
        var third = subtask(2)) {
      first.open();
      second.open();
      third.open();

      assertThat(table.readings).isEqualTo(1);
      assertThat(
              first.numKeyedStateEntries()
                  + second.numKeyedStateEntries()
                  + third.numKeyedStateEntries())
          .isEqualTo(KEYS);
    }
  }

  @Test
  void aSubtaskThatStartsAgainReadsAgain() throws Exception {
    try (var first = subtask(0);
        var second = subtask(1)) {
      first.open();
      second.open();
      try (var again = subtask(0)) {
        again.open();
        assertThat(table.readings).isEqualTo(2);
        assertThat(again.numKeyedStateEntries()).isEqualTo(first.numKeyedStateEntries());
      }
    }
  }

  @Test
  void nothingIsKeptForTheNextAttempt() throws Exception {
    try (var first = subtask(0)) {
      first.open();
    }
    try (var second = subtask(1)) {
      second.open();
      assertThat(table.readings).isEqualTo(2);
    }
  }

  @Test
  void aReadingThatFailedIsMadeAgain() throws Exception {
    table.failures = 1;
    try (var first = subtask(0)) {
      assertThatThrownBy(first::open).hasMessage("away");
    }
    try (var first = subtask(0)) {
      first.open();
      assertThat(first.numKeyedStateEntries()).isPositive();
    }
  }

  private KeyedOneInputStreamOperatorTestHarness<PrimaryKey, Arrival, Void> subtask(int index)
      throws Exception {
    MockEnvironment environment =
        new MockEnvironmentBuilder()
            .setJobID(job)
            .setMaxParallelism(128)
            .setParallelism(SUBTASKS)
            .setSubtaskIndex(index)
            .build();
    var harness =
        new KeyedOneInputStreamOperatorTestHarness<PrimaryKey, Arrival, Void>(
            new DryRunOperator(table, Forgetting.NOTHING, MalformedPolicy.FAIL),
            Arrival::key,
            Types.PRIMARY_KEY,
            environment);
    harness.getStreamConfig().setOperatorID(operator);
    return harness;
  }

  private static final class CountingSeed implements Seed {
    private static final long serialVersionUID = 1L;
    private int readings;
    private int failures;

    @Override
    public LiveRows read(BiConsumer<PrimaryKey, Mark> marks) throws IOException {
      readings++;
      for (int i = 0; i < KEYS; i++) {
        CommitVersion version =
            new CommitVersion(0, new Position(i, 0, 0), CommitVersion.STREAM, i);
        marks.accept(
            PrimaryKey.of(ByteBuffer.allocate(4).putInt(i).array()),
            new Mark(version, Kind.UPSERT, Change.UNKNOWN_CONTENT, new byte[0]));
      }
      if (failures-- > 0) {
        throw new IOException("away");
      }
      return new LiveRows(KEYS, 7);
    }
  }
}
