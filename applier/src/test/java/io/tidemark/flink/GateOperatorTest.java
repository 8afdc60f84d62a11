package io.tidemark.flink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.Change;
import io.tidemark.change.CommitVersion;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.PartitionProgress;
import io.tidemark.change.Position;
import io.tidemark.change.PrimaryKey;
import io.tidemark.change.SourceOffset;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.BatchKey;
import io.tidemark.commit.BatchStats;
import io.tidemark.commit.Progress;
import io.tidemark.commit.Retention;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.debezium.RawRecord;
import io.tidemark.failure.BadEventException;
import io.tidemark.merge.BatchWriter;
import io.tidemark.merge.Placement;
import io.tidemark.merge.Seed;
import io.tidemark.merge.Winner;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GateOperatorTest {
  private static final int MAX_PARALLELISM = 8;
  private static final long DAY = 86_400_000_000L;

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

    try (var harness = harness(new FixedSeed(table), 1 << 20)) {
      harness.open();
      harness.processElement1(put(1, 9, "late"));
      harness.processElement1(put(1, 11, "b"));
      harness.processElement1(put(2, 19, "late"));
      harness.processElement1(put(3, 1, "new"));
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
  void aChangeOfAnUnknownKeyFromBeforeTheHorizonStopsTheJob() throws Exception {
    Forgetting forgetting = Forgetting.from(LocalDate.EPOCH.plusDays(10), new Retention(2));
    try (var harness = harness(null, forgetting, MalformedPolicy.FAIL)) {
      harness.open();
      assertThatThrownBy(() -> harness.processElement1(put(1, 5, DAY * 10 - 1)))
          .isInstanceOf(SuppressRestartsException.class)
          .cause()
          .isInstanceOf(BadEventException.class)
          .hasMessage(
              "topic orders, partition 0, offset 5: the change was made at"
                  + " 1970-01-10T23:59:59.999999Z, before the table's horizon 1970-01-11T00:00:00Z,"
                  + " and its key has no row: the key may be one that was deleted and forgotten since"
                  + " (tombstones.retention), and then the change must stay dead. If it does, put it"
                  + " aside (errors.policy dead-letter or skip); if the table never had the key,"
                  + " apply it (tidemark run --accept-horizon)");
      harness.processElement1(put(2, 6, DAY * 10));
      harness.prepareSnapshotPreBarrier(1);
      assertThat(outputs(harness)).containsExactly("1/0: put 2=6");
    }
  }

  @Test
  void anOldDeleteOfAnUnknownKeyIsNothingAndLetsNothingPass() throws Exception {
    Forgetting forgetting = Forgetting.from(LocalDate.EPOCH.plusDays(10), new Retention(2));
    try (var harness = harness(null, forgetting, MalformedPolicy.DEAD_LETTER)) {
      harness.open();
      // Of insert 1, delete 2, insert 3, delete 4, all forgotten, two come again.
      harness.processElement1(delete(1, 2, DAY));
      harness.processElement1(put(1, 3, DAY * 2));
      harness.prepareSnapshotPreBarrier(1);

      assertThat(outputs(harness)).isEmpty();
      assertThat(letters(harness)).containsExactly(3L);
    }
  }

  @Test
  void theHorizonMovesAtABarrierToWhereTheSlowestPartitionIs() throws Exception {
    try (var harness = harness(null, Forgetting.from(null, new Retention(2)))) {
      harness.open();
      harness.processElement2(read(0, DAY * 9 + 5));
      harness.processElement1(put(1, 1, DAY * 2)); // the barrier has not come
      harness.prepareSnapshotPreBarrier(1);
      harness.processElement1(put(2, 2, DAY * 7 - 1));
      harness.processElement1(put(3, 3, DAY * 7));
      harness.processElement2(read(1, DAY * 4)); // a partition that came since does not move it back
      harness.prepareSnapshotPreBarrier(2);
      harness.processElement1(put(4, 4, DAY * 7 - 1));
      harness.processElement2(read(0, DAY * 30));
      harness.prepareSnapshotPreBarrier(3);
      harness.processElement1(put(5, 5, DAY * 7));
      harness.processElement2(read(1, DAY * 12));
      harness.prepareSnapshotPreBarrier(4);
      harness.processElement1(put(6, 6, DAY * 10 - 1));

      assertThat(letters(harness)).containsExactly(2L, 4L, 6L);
    }
  }

  /** It is remembered a day longer than the horizon says: clocks differ. */
  @Test
  void deletedKeysAreForgottenWithTheHorizonAndLiveOnesNever() throws Exception {
    Map<PrimaryKey, List<Mark>> table = new HashMap<>();
    table.put(key(1), List.of(Mark.deleted(version(20), DAY * 3)));
    table.put(key(2), List.of(live(20, "x")));
    OperatorSubtaskState state;
    try (var harness = harness(new FixedSeed(table), Forgetting.from(null, new Retention(2)))) {
      harness.open();
      harness.processElement1(delete(3, 20, DAY * 4 - 1));
      harness.processElement1(delete(4, 20, DAY * 4));
      harness.processElement1(delete(5, 20, DAY * 4 - 1));
      harness.processElement2(read(0, DAY * 6)); // the horizon is day 4
      harness.prepareSnapshotPreBarrier(1);
      late(harness, 1, 2, 3, 4, 5);
      harness.processWatermark1(Watermark.MAX_WATERMARK); // as at the end of the input
      harness.processWatermark2(Watermark.MAX_WATERMARK);
      late(harness, 1, 2, 3, 4, 5);
      assertThat(letters(harness)).isEmpty();
      state = harness.snapshot(1, 1);
    }
    try (var harness = harness(null, Forgetting.from(null, new Retention(2)))) {
      harness.initializeState(state);
      harness.open();
      harness.processElement1(put(5, 30, DAY * 6)); // lives again
      harness.processElement2(read(0, DAY * 7)); // day 5: what was deleted before day 4
      harness.prepareSnapshotPreBarrier(2);
      late(harness, 1, 2, 3, 4, 5);
      assertThat(letters(harness)).containsExactly(1L, 3L);
      state = harness.snapshot(2, 2);
    }
    try (var harness = harness(null, Forgetting.from(null, new Retention(2)))) {
      harness.initializeState(state);
      harness.open();
      late(harness, 1, 2, 3, 4, 5); // the horizon was restored with the marks
      assertThat(letters(harness)).containsExactly(1L, 3L);
      assertThat(outputs(harness)).isEmpty();
    }
  }

  /** A replay may have to learn deletes again before it meets what they beat. */
  @Test
  void whoAcceptsTheHorizonForgetsNothing() throws Exception {
    Map<PrimaryKey, List<Mark>> table = new HashMap<>();
    table.put(key(1), List.of(Mark.deleted(version(20), DAY)));
    try (var harness = harness(new FixedSeed(table), Forgetting.NOTHING)) {
      harness.open();
      harness.processElement1(delete(2, 20, DAY));
      harness.processElement2(read(0, DAY * 60));
      harness.prepareSnapshotPreBarrier(1);
      late(harness, 1, 2);
      harness.processElement1(put(3, 5, DAY));
      harness.prepareSnapshotPreBarrier(2);

      assertThat(letters(harness)).isEmpty();
      assertThat(outputs(harness)).containsExactly("1/0: delete 2", "2/0: put 3=5");
    }
  }

  /** Each key's version 10, made on day 1; the offset in the log is the key. */
  private static void late(KeyedTwoInputStreamOperatorTestHarness<PrimaryKey, Arrival, CommitInput, CommitInput> harness, int... keys)
      throws Exception {
    for (int key : keys) {
      CommitVersion version =
          new CommitVersion(0, new Position(10, 0, 0), CommitVersion.STREAM, key);
      harness.processElement1(
          arrival(new Change(key(key), Kind.UPSERT, version, DAY, new byte[] {'l'})));
    }
  }

  private static KeyedTwoInputStreamOperatorTestHarness<PrimaryKey, Arrival, CommitInput, CommitInput> harness(
      @Nullable Seed seed, long budget) throws Exception {
    return harness(seed, budget, 1, 0);
  }

  private static KeyedTwoInputStreamOperatorTestHarness<PrimaryKey, Arrival, CommitInput, CommitInput> harness(
      @Nullable Seed seed, long budget, int parallelism, int subtask) throws Exception {
    return harness(
        new GateOperator(
            new TextWriters(),
            seed,
            budget,
            Progress.NONE,
            Forgetting.NOTHING,
            MalformedPolicy.FAIL),
        parallelism,
        subtask);
  }

  private static KeyedTwoInputStreamOperatorTestHarness<PrimaryKey, Arrival, CommitInput, CommitInput> harness(
      @Nullable Seed seed, Forgetting forgetting) throws Exception {
    return harness(seed, forgetting, MalformedPolicy.DEAD_LETTER);
  }

  private static KeyedTwoInputStreamOperatorTestHarness<PrimaryKey, Arrival, CommitInput, CommitInput> harness(
      @Nullable Seed seed, Forgetting forgetting, MalformedPolicy policy) throws Exception {
    return harness(
        new GateOperator(new TextWriters(), seed, 1 << 20, Progress.NONE, forgetting, policy), 1, 0);
  }

  private static KeyedTwoInputStreamOperatorTestHarness<PrimaryKey, Arrival, CommitInput, CommitInput> harness(
      GateOperator operator, int parallelism, int subtask) throws Exception {
    return new KeyedTwoInputStreamOperatorTestHarness<>(
        operator,
        Arrival::key,
        null,
        Types.PRIMARY_KEY,
        MAX_PARALLELISM,
        parallelism,
        subtask);
  }

  private static List<Long> letters(KeyedTwoInputStreamOperatorTestHarness<PrimaryKey, Arrival, CommitInput, CommitInput> harness) {
    Queue<StreamRecord<DeadLetter>> letters = harness.getSideOutput(GateOperator.DEAD_LETTERS);
    return letters == null
        ? List.of()
        : letters.stream().map(letter -> letter.getValue().record().at().offset()).toList();
  }

  private static StreamRecord<CommitInput> read(int partition, long sourceTime) {
    return new StreamRecord<>(
        new CommitInput.Read(
            new Progress(
                Map.of(
                    new TopicPartition("orders", partition),
                    new PartitionProgress(1, 0, Position.ZERO, sourceTime, Map.of())))));
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
        public void close() {}
      };
    }

    @Override
    public Placement placement() {
      return row -> row;
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
      KeyedTwoInputStreamOperatorTestHarness<PrimaryKey, Arrival, CommitInput, CommitInput> harness) {
    List<String> lines = new ArrayList<>();
    for (CommitInput input : harness.extractOutputValues()) {
      CommitInput.BatchClosed closed = (CommitInput.BatchClosed) input;
      BatchKey key = closed.key();
      lines.add(key.checkpoint() + "/" + key.index() + ": " + closed.files().data().get(0));
    }
    return lines;
  }

  private static StreamRecord<Arrival> put(int key, long position, String row) {
    return arrival(new Change(key(key), Kind.UPSERT, version(position), 0, row.getBytes(UTF_8)));
  }

  private static StreamRecord<Arrival> put(int key, long position, long sourceTime) {
    byte[] row = Long.toString(position).getBytes(UTF_8);
    return arrival(new Change(key(key), Kind.UPSERT, version(position), sourceTime, row));
  }

  private static StreamRecord<Arrival> delete(int key, long position) {
    return delete(key, position, 0);
  }

  private static StreamRecord<Arrival> delete(int key, long position, long sourceTime) {
    return arrival(
        new Change(key(key), Kind.DELETE, version(position), sourceTime, new byte[0]));
  }

  private static StreamRecord<Arrival> arrival(Change change) {
    SourceOffset at = new SourceOffset("orders", 0, change.version().offset());
    return new StreamRecord<>(
        new Arrival(change, new RawRecord(at, 0, null, new byte[0], Map.of())));
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
