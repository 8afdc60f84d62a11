package io.tidemark.flink;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.change.Change;
import io.tidemark.change.CommitVersion;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.PartitionProgress;
import io.tidemark.change.Position;
import io.tidemark.change.PrimaryKey;
import io.tidemark.change.SourceOffset;
import io.tidemark.change.TopicPartition;
import io.tidemark.change.Unsent;
import io.tidemark.commit.BatchKey;
import io.tidemark.commit.BatchStats;
import io.tidemark.commit.LiveRows;
import io.tidemark.commit.Progress;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.debezium.RawRecord;
import io.tidemark.merge.BatchWriter;
import io.tidemark.merge.Placement;
import io.tidemark.merge.RowSplice;
import io.tidemark.merge.Seed;
import io.tidemark.merge.StoredRow;
import io.tidemark.merge.Winner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;

/** Gates under test: batches become lines of text. */
final class GateFixture {
  private static final int MAX_PARALLELISM = 8;
  private static final GateOperator.KeepSettings KEEP =
      new GateOperator.KeepSettings(1 << 10, true, "id, wide", "id");
  static final long DAY = 86_400_000_000L;

  private GateFixture() {}

  static KeyedTwoInputStreamOperatorTestHarness<PrimaryKey, Arrival, CommitInput, CommitInput>
      harness(@Nullable Seed seed, long budget) throws Exception {
    return harness(seed, budget, 1, 0);
  }

  static KeyedTwoInputStreamOperatorTestHarness<PrimaryKey, Arrival, CommitInput, CommitInput>
      harness(@Nullable Seed seed, long budget, int parallelism, int subtask) throws Exception {
    return harness(
        new GateOperator(
            new TextWriters(),
            seed,
            KEEP,
            budget,
            Progress.NONE,
            Forgetting.NOTHING,
            MalformedPolicy.FAIL),
        parallelism,
        subtask);
  }

  static KeyedTwoInputStreamOperatorTestHarness<PrimaryKey, Arrival, CommitInput, CommitInput>
      harness(@Nullable Seed seed, Forgetting forgetting) throws Exception {
    return harness(seed, forgetting, MalformedPolicy.DEAD_LETTER);
  }

  static KeyedTwoInputStreamOperatorTestHarness<PrimaryKey, Arrival, CommitInput, CommitInput>
      harness(@Nullable Seed seed, Forgetting forgetting, MalformedPolicy policy) throws Exception {
    return harness(
        new GateOperator(new TextWriters(), seed, KEEP, 1 << 20, Progress.NONE, forgetting, policy),
        1,
        0);
  }

  static KeyedTwoInputStreamOperatorTestHarness<PrimaryKey, Arrival, CommitInput, CommitInput>
      harness(String columns) throws Exception {
    return harness(
        new GateOperator(
            new TextWriters(),
            null,
            new GateOperator.KeepSettings(1 << 10, true, columns, columns.split(",")[0]),
            1 << 20,
            Progress.NONE,
            Forgetting.NOTHING,
            MalformedPolicy.FAIL),
        1,
        0);
  }

  static KeyedTwoInputStreamOperatorTestHarness<PrimaryKey, Arrival, CommitInput, CommitInput>
      harness(GateOperator operator, int parallelism, int subtask) throws Exception {
    KeyedTwoInputStreamOperatorTestHarness<PrimaryKey, Arrival, CommitInput, CommitInput> harness =
        new KeyedTwoInputStreamOperatorTestHarness<>(
            operator, Arrival::key, null, Types.PRIMARY_KEY, MAX_PARALLELISM, parallelism, subtask);
    harness.setup(new CommitInputSerializer()); // else it guesses by the first that comes out
    return harness;
  }

  static List<Long> letters(
      KeyedTwoInputStreamOperatorTestHarness<PrimaryKey, Arrival, CommitInput, CommitInput>
          harness) {
    Queue<StreamRecord<DeadLetter>> letters = harness.getSideOutput(GateOperator.DEAD_LETTERS);
    return letters == null
        ? List.of()
        : letters.stream().map(letter -> letter.getValue().record().at().offset()).toList();
  }

  static StreamRecord<CommitInput> read(int partition, long sourceTime) {
    return new StreamRecord<>(
        new CommitInput.Read(
            new Progress(
                Map.of(
                    new TopicPartition("orders", partition),
                    new PartitionProgress(1, 0, Position.ZERO, sourceTime, Map.of())))));
  }

  /** Writes a batch as one line of text. */
  static class TextWriters implements BatchWriter.Factory {
    private static final long serialVersionUID = 1L;

    /** Nothing is wrong with a batch, where nobody says so. */
    void look(List<Winner> winners) {}

    @Override
    public BatchWriter open(int subtask, int attempt) {
      return new BatchWriter() {
        @Override
        public WrittenFiles write(List<Winner> winners) {
          look(winners);
          List<String> lines = new ArrayList<>();
          for (Winner winner : winners) {
            Change change = winner.change();
            String key = Integer.toString(change.key().bytes()[0]);
            String line =
                change.kind() == Kind.DELETE
                    ? "delete " + key
                    : "put " + key + "=" + new String(change.row(), UTF_8);
            Mark replaced = winner.replaced();
            lines.add(
                replaced == null
                    ? line
                    : line + " over " + new String(replaced.partitionValues(), UTF_8));
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

  static final class FixedSeed implements Seed {
    static final LiveRows ROWS = new LiveRows(2, 12);

    private static final long serialVersionUID = 1L;
    private final transient Map<PrimaryKey, List<Mark>> table;

    FixedSeed(Map<PrimaryKey, List<Mark>> table) {
      this.table = table;
    }

    @Override
    public LiveRows read(java.util.function.BiConsumer<PrimaryKey, Mark> marks) {
      table.forEach((key, all) -> all.forEach(mark -> marks.accept(key, mark)));
      return ROWS;
    }
  }

  static List<String> outputs(
      KeyedTwoInputStreamOperatorTestHarness<PrimaryKey, Arrival, CommitInput, CommitInput>
          harness) {
    List<String> lines = new ArrayList<>();
    for (CommitInput input : harness.extractOutputValues()) {
      if (input instanceof CommitInput.BatchClosed closed) {
        BatchKey key = closed.key();
        lines.add(key.checkpoint() + "/" + key.index() + ": " + closed.files().data().get(0));
      }
    }
    return lines;
  }

  static StreamRecord<Arrival> put(int key, long position, String row) {
    return arrival(new Change(key(key), Kind.UPSERT, version(position), 0, row.getBytes(UTF_8)));
  }

  static StreamRecord<Arrival> put(int key, long position, long sourceTime) {
    byte[] row = Long.toString(position).getBytes(UTF_8);
    return arrival(new Change(key(key), Kind.UPSERT, version(position), sourceTime, row));
  }

  /** An update that leaves out the column {@code wide}. */
  static StreamRecord<Arrival> without(int key, long position, long sourceTime) {
    return arrival(
        new Change(
            key(key),
            Kind.UPSERT,
            version(position),
            sourceTime,
            new byte[] {1},
            new Unsent(List.of("wide"), false, new SourceOffset("orders", 0, position))));
  }

  static StreamRecord<Arrival> delete(int key, long position) {
    return delete(key, position, 0);
  }

  static StreamRecord<Arrival> delete(int key, long position, long sourceTime) {
    return arrival(new Change(key(key), Kind.DELETE, version(position), sourceTime, new byte[0]));
  }

  static StreamRecord<Arrival> arrival(Change change) {
    SourceOffset at = new SourceOffset("orders", 0, change.version().offset());
    return new StreamRecord<>(
        new Arrival(change, new RawRecord(at, 0, null, new byte[0], Map.of())));
  }

  static Mark live(long position, String row) {
    return new Mark(version(position), Kind.UPSERT, Change.UNKNOWN_CONTENT, row.getBytes(UTF_8));
  }

  static CommitVersion version(long position) {
    return new CommitVersion(0, new Position(position, 0, 0), CommitVersion.STREAM, position);
  }

  static PrimaryKey key(int key) {
    return PrimaryKey.of(new byte[] {(byte) key});
  }
}
