package io.tidemark.flink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.Change;
import io.tidemark.change.CommitVersion;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.Position;
import io.tidemark.change.PrimaryKey;
import io.tidemark.change.SourceOffset;
import io.tidemark.change.Unsent;
import io.tidemark.commit.BatchKey;
import io.tidemark.commit.BatchStats;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.failure.RefusedException;
import io.tidemark.merge.BatchWriter;
import io.tidemark.merge.Placement;
import io.tidemark.merge.RowSplice;
import io.tidemark.merge.Seed;
import io.tidemark.merge.StoredRow;
import io.tidemark.merge.UnknownColumnException;
import io.tidemark.merge.Winner;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GateOperatorTest {
  private static final int MAX_PARALLELISM = 8;

  @Test
  void aBatchIsHandedOverBeforeTheBarrier() throws Exception {
    try (var harness = harness(null, 1 << 20)) {
      harness.open();
      harness.processElement(put(1, 10, "a"));
      harness.prepareSnapshotPreBarrier(7);

      assertThat(outputs(harness)).containsExactly("7/0: put 1=a");
    }
  }

  @Test
  void batchesThatWereClosedEarlyKeepTheirOrder() throws Exception {
    try (var harness = harness(null, 1)) {
      harness.open();
      harness.processElement(put(1, 10, "a"));
      harness.processElement(put(1, 11, "b"));
      harness.prepareSnapshotPreBarrier(7);

      assertThat(outputs(harness)).containsExactly("7/0: put 1=a", "7/1: put 1=b over a");
    }
  }

  @Test
  void nothingFollowsTheEndOfTheInput() throws Exception {
    try (var harness = harness(null, 1 << 20)) {
      harness.open();
      harness.processElement(put(1, 10, "a"));
      harness.endInput();
      harness.prepareSnapshotPreBarrier(7);

      assertThat(outputs(harness)).containsExactly(Long.MAX_VALUE + "/0: put 1=a");
    }
  }

  @Test
  void marksSurviveARestore() throws Exception {
    OperatorSubtaskState state;
    try (var harness = harness(null, 1 << 20)) {
      harness.open();
      harness.processElement(put(1, 10, "a"));
      harness.processElement(delete(2, 20));
      harness.prepareSnapshotPreBarrier(1);
      state = harness.snapshot(1, 1);
    }
    try (var harness = harness(null, 1 << 20)) {
      harness.initializeState(state);
      harness.open();
      harness.processElement(put(1, 11, "b"));
      harness.processElement(put(2, 19, "late"));
      harness.prepareSnapshotPreBarrier(2);

      assertThat(outputs(harness)).containsExactly("2/0: put 1=b over a");
    }
  }

  @Test
  void aStartWithoutStateTakesItsMarksFromTheTable() throws Exception {
    Map<PrimaryKey, List<Mark>> table = new HashMap<>();
    table.put(key(1), List.of(live(10, "a")));
    table.put(key(2), List.of(live(5, "x"), Mark.deleted(version(20))));

    try (var harness = harness(new FixedSeed(table), 1 << 20)) {
      harness.open();
      harness.processElement(put(1, 9, "late"));
      harness.processElement(put(1, 11, "b"));
      harness.processElement(put(2, 19, "late"));
      harness.processElement(put(3, 1, "new"));
      harness.prepareSnapshotPreBarrier(1);

      assertThat(outputs(harness)).containsExactly("1/0: put 1=b over a, put 3=new");
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
      try (var harness = harness(new FixedSeed(table), 1 << 20, 3, subtask)) {
        harness.open(); // the state backend refuses keys of other subtasks
        assertThat(harness.numKeyedStateEntries()).isPositive();
        marks += harness.numKeyedStateEntries();
      }
    }
    assertThat(marks).isEqualTo(50);
  }

  @Test
  void aColumnThatNobodyToldStopsTheJob() throws Exception {
    try (var harness = harness(null, 1 << 20)) {
      harness.open();
      harness.processElement(new StreamRecord<>(without(key(1), 10, new byte[] {1}, false)));

      assertThatThrownBy(() -> harness.prepareSnapshotPreBarrier(1))
          .isInstanceOf(SuppressRestartsException.class)
          .hasRootCauseInstanceOf(UnknownColumnException.class);
    }
  }

  /** A row's bytes are read by the positions of its columns. */
  @Test
  void rowsThatWereKeptUnderOtherColumnsAreRefused() throws Exception {
    OperatorSubtaskState state = stateOf(true);
    try (var harness = harness(null, "id, wide", 1 << 20, 1, 0)) {
      harness.initializeState(state);
      harness.open();
    }
    try (var harness = harness(null, "id, new, wide", 1 << 20, 1, 0)) {
      assertThatThrownBy(() -> harness.initializeState(state))
          .isInstanceOf(SuppressRestartsException.class)
          .hasRootCauseInstanceOf(RefusedException.class)
          .hasStackTraceContaining("Start without state");
    }
    try (var harness = harness(null, "id, new, wide", 1 << 20, 1, 0)) {
      harness.initializeState(stateOf(false)); // no rows in it
      harness.open();
    }
  }

  private static OperatorSubtaskState stateOf(boolean leftOut) throws Exception {
    try (var harness = harness(null, 1 << 20)) {
      harness.open();
      harness.processElement(put(1, 10, "told"));
      if (leftOut) {
        harness.processElement(new StreamRecord<>(without(key(1), 11, new byte[] {1}, false)));
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
        harness.processElement(put(1, 10, "told"));
        harness.processElement(new StreamRecord<>(without(key(1), 11, new byte[] {1}, false)));
      }
      for (int i = 0; i < rows; i++) {
        PrimaryKey key = PrimaryKey.of(ByteBuffer.allocate(8).putLong(i).array());
        harness.processElement(
            new StreamRecord<>(new Change(key, Kind.UPSERT, version(20), 0, new byte[bytes])));
      }
      harness.prepareSnapshotPreBarrier(1);
      return harness.snapshot(1, 1).getStateSize();
    }
  }

  private static Change without(PrimaryKey key, long position, byte[] row, boolean insert) {
    return new Change(
        key,
        Kind.UPSERT,
        version(position),
        0,
        row,
        new Unsent(List.of("wide"), insert, new SourceOffset("t", 0, position)));
  }

  private static KeyedOneInputStreamOperatorTestHarness<PrimaryKey, Change, CommitInput> harness(
      @Nullable Seed seed, long budget) throws Exception {
    return harness(seed, budget, 1, 0);
  }

  private static KeyedOneInputStreamOperatorTestHarness<PrimaryKey, Change, CommitInput> harness(
      @Nullable Seed seed, long budget, int parallelism, int subtask) throws Exception {
    return harness(seed, "id, wide", budget, parallelism, subtask);
  }

  private static KeyedOneInputStreamOperatorTestHarness<PrimaryKey, Change, CommitInput> harness(
      @Nullable Seed seed, String columns, long budget, int parallelism, int subtask)
      throws Exception {
    return new KeyedOneInputStreamOperatorTestHarness<>(
        new GateOperator(
            new TextWriters(), seed, new GateOperator.KeepSettings(1 << 10, true, columns), budget),
        Change::key,
        Types.PRIMARY_KEY,
        MAX_PARALLELISM,
        parallelism,
        subtask);
  }

  /** Writes a batch as one line of text. */
  private static final class TextWriters implements BatchWriter.Factory {
    private static final long serialVersionUID = 1L;

    @Override
    public BatchWriter open(int subtask, int attempt) {
      return new BatchWriter() {
        @Override
        public WrittenFiles write(List<Winner> winners) {
          List<String> lines = new ArrayList<>();
          for (Winner winner : winners) {
            Change change = winner.change();
            String key = Integer.toString(change.key().bytes()[0]);
            String line =
                change.kind() == Kind.DELETE
                    ? "delete " + key
                    : "put " + key + "=" + new String(change.row(), UTF_8);
            byte[] replaced = winner.replaced();
            lines.add(replaced == null ? line : line + " over " + new String(replaced, UTF_8));
          }
          lines.sort(null);
          return new WrittenFiles(
              List.of(String.join(", ", lines)), List.of(), List.of(), BatchStats.NONE);
        }

        @Override
        public Map<PrimaryKey, StoredRow> read(List<Wanted> wanted) {
          throw new AssertionError("No row has all its columns");
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public Placement placement() {
      return row -> row.length > 100 ? new byte[0] : row;
    }

    @Override
    public RowSplice splice() {
      return (row, columns) -> row;
    }
  }

  private static final class FixedSeed implements Seed {
    private static final long serialVersionUID = 1L;
    private final transient Map<PrimaryKey, List<Mark>> table;

    private FixedSeed(Map<PrimaryKey, List<Mark>> table) {
      this.table = table;
    }

    @Override
    public void read(java.util.function.BiConsumer<PrimaryKey, Mark> marks) {
      table.forEach((key, all) -> all.forEach(mark -> marks.accept(key, mark)));
    }
  }

  private static List<String> outputs(
      KeyedOneInputStreamOperatorTestHarness<PrimaryKey, Change, CommitInput> harness) {
    List<String> lines = new ArrayList<>();
    for (CommitInput input : harness.extractOutputValues()) {
      CommitInput.BatchClosed closed = (CommitInput.BatchClosed) input;
      BatchKey key = closed.key();
      lines.add(key.checkpoint() + "/" + key.index() + ": " + closed.files().data().get(0));
    }
    return lines;
  }

  private static StreamRecord<Change> put(int key, long position, String row) {
    return new StreamRecord<>(
        new Change(key(key), Kind.UPSERT, version(position), 0, row.getBytes(UTF_8)));
  }

  private static StreamRecord<Change> delete(int key, long position) {
    return new StreamRecord<>(new Change(key(key), Kind.DELETE, version(position), 0, new byte[0]));
  }

  private static Mark live(long position, String row) {
    return new Mark(version(position), Kind.UPSERT, Change.UNKNOWN_CONTENT, row.getBytes(UTF_8));
  }

  private static CommitVersion version(long position) {
    return new CommitVersion(0, new Position(position, 0, 0), CommitVersion.STREAM, position);
  }

  private static PrimaryKey key(int key) {
    return PrimaryKey.of(new byte[] {(byte) key});
  }
}
