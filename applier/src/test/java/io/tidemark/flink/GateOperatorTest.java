package io.tidemark.flink;

import static io.tidemark.flink.GateFixture.arrival;
import static io.tidemark.flink.GateFixture.delete;
import static io.tidemark.flink.GateFixture.harness;
import static io.tidemark.flink.GateFixture.key;
import static io.tidemark.flink.GateFixture.live;
import static io.tidemark.flink.GateFixture.outputs;
import static io.tidemark.flink.GateFixture.put;
import static io.tidemark.flink.GateFixture.version;
import static io.tidemark.flink.GateFixture.without;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.Change;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import io.tidemark.commit.Progress;
import io.tidemark.commit.TableChangedException;
import io.tidemark.failure.RefusedException;
import io.tidemark.merge.Seed;
import io.tidemark.merge.UnknownColumnException;
import io.tidemark.merge.Winner;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.junit.jupiter.api.Test;

class GateOperatorTest {

  @Test
  void aBatchIsHandedOverBeforeTheBarrier() throws Exception {
    try (var harness = harness(null, 1 << 20)) {
      harness.open();
      harness.processElement1(put(1, 10, "a"));
      harness.prepareSnapshotPreBarrier(7);

      assertThat(outputs(harness)).containsExactly("7/0: put 1=a");
    }
  }

  @Test
  void batchesThatWereClosedEarlyKeepTheirOrder() throws Exception {
    try (var harness = harness(null, 1)) {
      harness.open();
      harness.processElement1(put(1, 10, "a"));
      harness.processElement1(put(1, 11, "b"));
      harness.prepareSnapshotPreBarrier(7);

      assertThat(outputs(harness)).containsExactly("7/0: put 1=a", "7/1: put 1=b over a");
    }
  }

  @Test
  void nothingFollowsTheEndOfTheInput() throws Exception {
    try (var harness = harness(null, 1 << 20)) {
      harness.open();
      harness.processElement1(put(1, 10, "a"));
      harness.endInput1();
      harness.endInput2();
      harness.prepareSnapshotPreBarrier(7);

      assertThat(outputs(harness)).containsExactly(Long.MAX_VALUE + "/0: put 1=a");
    }
  }

  @Test
  void marksSurviveARestore() throws Exception {
    OperatorSubtaskState state;
    try (var harness = harness(null, 1 << 20)) {
      harness.open();
      harness.processElement1(put(1, 10, "a"));
      harness.processElement1(delete(2, 20));
      harness.prepareSnapshotPreBarrier(1);
      state = harness.snapshot(1, 1);
    }
    try (var harness = harness(null, 1 << 20)) {
      harness.initializeState(state);
      harness.open();
      harness.processElement1(put(1, 11, "b"));
      harness.processElement1(put(2, 19, "late"));
      harness.prepareSnapshotPreBarrier(2);

      assertThat(outputs(harness)).containsExactly("2/0: put 1=b over a");
    }
  }

  @Test
  void aStartWithoutStateTakesItsMarksFromTheTable() throws Exception {
    Map<PrimaryKey, List<Mark>> table = new HashMap<>();
    table.put(key(1), List.of(live(10, "a")));
    table.put(key(2), List.of(live(5, "x"), Mark.deleted(version(20), 0)));

    try (var harness = harness(new GateFixture.FixedSeed(table), 1 << 20)) {
      harness.open();
      harness.processElement1(put(1, 9, "late"));
      harness.processElement1(put(1, 11, "b"));
      harness.processElement1(put(2, 19, "late"));
      harness.processElement1(put(3, 1, "new"));
      harness.prepareSnapshotPreBarrier(1);

      assertThat(outputs(harness)).containsExactly("1/0: put 1=b over a, put 3=new");
      assertThat(harness.extractOutputValues())
          .filteredOn(CommitInput.Seeded.class::isInstance)
          .containsExactly(new CommitInput.Seeded(GateFixture.FixedSeed.ROWS));
    }
  }

  @Test
  void eachSubtaskReadsTheMarksOfItsOwnKeys() throws Exception {
    Map<PrimaryKey, List<Mark>> table = new HashMap<>();
    for (int key = 0; key < 50; key++) {
      table.put(key(key), List.of(live(10, "a")));
    }
    int marks = 0;
    for (int subtask = 0; subtask < 3; subtask++) {
      try (var harness = harness(new GateFixture.FixedSeed(table), 1 << 20, 3, subtask)) {
        harness.open(); // the state backend refuses keys of other subtasks
        assertThat(harness.numKeyedStateEntries()).isPositive();
        marks += harness.numKeyedStateEntries();
      }
    }
    assertThat(marks).isEqualTo(50);
  }

  /** Every attempt reads the same snapshots. */
  @Test
  void marksThatAreRefusedStopTheJob() throws Exception {
    Seed refused =
        marks -> {
          throw new RefusedException("a file is gone");
        };
    try (var harness = harness(refused, 1 << 20)) {
      assertThatThrownBy(harness::open)
          .isInstanceOf(SuppressRestartsException.class)
          .hasRootCauseMessage("a file is gone");
    }
  }

  @Test
  void aColumnThatNobodyToldStopsTheJob() throws Exception {
    try (var harness = harness(null, 1 << 20)) {
      harness.open();
      harness.processElement1(without(1, 10, 0));

      assertThatThrownBy(() -> harness.prepareSnapshotPreBarrier(1))
          .isInstanceOf(SuppressRestartsException.class)
          .hasRootCauseInstanceOf(UnknownColumnException.class);
    }
  }

  /** Where its row lies a mark in state does not say, and will not in the next attempt. */
  @Test
  void marksThatDoNotKnowAPartitionColumnStopTheJob() throws Exception {
    GateFixture.TextWriters repartitioned =
        new GateFixture.TextWriters() {
          private static final long serialVersionUID = 1L;

          @Override
          void look(List<Winner> winners) {
            throw new TableChangedException("partitioned by what the marks do not know");
          }
        };
    GateOperator operator =
        new GateOperator(
            repartitioned,
            null,
            new GateOperator.KeepSettings(1 << 10, true, "id, wide", "id"),
            1 << 20,
            Progress.NONE,
            Forgetting.NOTHING,
            MalformedPolicy.FAIL);
    try (var harness = GateFixture.harness(operator, 1, 0)) {
      harness.open();
      harness.processElement1(put(1, 10, "a"));

      assertThatThrownBy(() -> harness.prepareSnapshotPreBarrier(1))
          .isInstanceOf(SuppressRestartsException.class)
          .hasRootCauseInstanceOf(TableChangedException.class);
    }
  }

  /** A row's bytes are read by the positions of its columns. */
  @Test
  void rowsThatWereKeptUnderOtherColumnsAreRefused() throws Exception {
    OperatorSubtaskState state = stateOf(true);
    try (var harness = harness("id, wide")) {
      harness.initializeState(state);
      harness.open();
    }
    try (var harness = harness("id, new, wide")) {
      assertThatThrownBy(() -> harness.initializeState(state))
          .isInstanceOf(SuppressRestartsException.class)
          .hasRootCauseInstanceOf(RefusedException.class)
          .rootCause()
          .hasMessageContaining("The state keeps rows for columns that the source leaves out")
          .hasMessageContaining("Start without state");
    }
    try (var harness = harness("id, new, wide")) {
      harness.initializeState(stateOf(false)); // no rows in it
      harness.open();
    }
  }

  /** No mark would be found under them, so that nothing would be deleted. */
  @Test
  void marksOfOtherKeyColumnsAreRefused() throws Exception {
    OperatorSubtaskState state = stateOf(false);
    try (var harness = harness("wide, id")) {
      assertThatThrownBy(() -> harness.initializeState(state))
          .isInstanceOf(SuppressRestartsException.class)
          .rootCause()
          .isInstanceOf(RefusedException.class)
          .hasMessage(
              "The keys of the state are made of the columns id, and those of the table's key are"
                  + " wide now: their order, names or types were changed. Start without state: it goes"
                  + " on from the table's record and loses nothing");
    }
  }

  private static OperatorSubtaskState stateOf(boolean leftOut) throws Exception {
    try (var harness = harness("id, wide")) {
      harness.open();
      harness.processElement1(put(1, 10, "told"));
      if (leftOut) {
        harness.processElement1(without(1, 11, 0));
      }
      harness.prepareSnapshotPreBarrier(1);
      return harness.snapshot(1, 1);
    }
  }

  /** What docs/benchmarks.md says of the state. */
  @Test
  void rowsAreInStateOnlyOnceAColumnWasLeftOut() throws Exception {
    int rows = 1000;
    int bytes = 4000;
    long marks = stateBytes(rows, bytes, false) / rows;
    long all = stateBytes(rows, bytes, true) / rows;
    System.out.println(
        "State per key: %d bytes, with a row of %d bytes %d".formatted(marks, bytes, all));

    assertThat(marks).isLessThan(150);
    assertThat(all).isBetween(marks + bytes, marks + bytes + 120);
  }

  private static long stateBytes(int rows, int bytes, boolean leftOut) throws Exception {
    try (var harness = harness(null, 64 << 20)) {
      harness.open();
      if (leftOut) {
        harness.processElement1(put(1, 10, "told"));
        harness.processElement1(without(1, 11, 0));
      }
      for (int i = 0; i < rows; i++) {
        PrimaryKey key = PrimaryKey.of(ByteBuffer.allocate(8).putLong(i).array());
        harness.processElement1(
            arrival(new Change(key, Kind.UPSERT, version(20), 0, new byte[bytes])));
      }
      harness.prepareSnapshotPreBarrier(1);
      return harness.snapshot(1, 1).getStateSize();
    }
  }
}
