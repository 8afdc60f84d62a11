package io.tidemark.replay;

import io.tidemark.change.Change;
import io.tidemark.change.PartitionProgress;
import io.tidemark.change.PrimaryKey;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.AcceptedReplay;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.Gap;
import io.tidemark.commit.Progress;
import io.tidemark.commit.TableLedger;
import io.tidemark.commit.TopicIds;
import io.tidemark.debezium.RawRecord;
import io.tidemark.failure.RefusedException;
import io.tidemark.fault.Parts;
import io.tidemark.flink.Arrival;
import io.tidemark.flink.CommitInput;
import io.tidemark.flink.CommitInputSerializer;
import io.tidemark.flink.CommitOperator;
import io.tidemark.flink.DeadLetter;
import io.tidemark.flink.DecodeOperator;
import io.tidemark.flink.Forgetting;
import io.tidemark.flink.GateOperator;
import io.tidemark.flink.MalformedPolicy;
import io.tidemark.flink.Types;
import io.tidemark.iceberg.IcebergBatchWriterFactory;
import io.tidemark.iceberg.IcebergSeed;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;

/**
 * One incarnation of the job: the real operators, with several decoders and gates, moved by hand so
 * that a test decides what is in flight at a barrier and which barrier arrives where.
 */
final class SimulatedJob implements AutoCloseable {

  private static final int MAX_PARALLELISM = 16;

  private final Random random;
  private final SimulatedTable table;
  private final Parts parts;
  private final Predicate<Change> passing;
  private final List<OneInputStreamOperatorTestHarness<RawRecord, Arrival>> decoders =
      new ArrayList<>();
  private final List<
          KeyedTwoInputStreamOperatorTestHarness<PrimaryKey, Arrival, CommitInput, CommitInput>>
      gates = new ArrayList<>();
  private final List<Queue<Arrival>> inFlight = new ArrayList<>();
  private final OneInputStreamOperatorTestHarness<CommitInput, Void> commits;
  private final Map<Integer, Long> next = new TreeMap<>();

  /** How many operators work side by side. */
  record Shape(int decoders, int gates, long gateBudgetBytes, int keepFromBytes) {}

  /** What a completed checkpoint holds. */
  record Saved(
      long id,
      Shape shape,
      List<OperatorSubtaskState> decoders,
      List<OperatorSubtaskState> gates,
      OperatorSubtaskState commits,
      Map<Integer, Long> next) {}

  /**
   * What somebody types.
   *
   * @param from by partition the offset to begin with, for those that no state knows
   * @param gaps that are accepted; they end below {@code from}
   * @param accepts whether unknown keys are taken for new ones ({@code --accept-horizon})
   */
  record Start(Map<Integer, Long> from, Set<Gap> gaps, boolean accepts) {}

  /**
   * Starts, and nothing is accepted.
   *
   * @param from by partition the offset to begin with, for those that no state knows
   * @param saved the checkpoint to go on from; null for a start without state
   */
  SimulatedJob(
      SimulatedTable table,
      Parts parts,
      Shape shape,
      Random random,
      Map<Integer, Long> from,
      @Nullable Saved saved)
      throws Exception {
    this(table, parts, shape, random, new Start(from, Set.of(), false), saved);
  }

  /**
   * The same where somebody accepts.
   *
   * @throws RefusedException if the table's record does not allow such a start without state
   */
  SimulatedJob(
      SimulatedTable table,
      Parts parts,
      Shape shape,
      Random random,
      Start typed,
      @Nullable Saved saved)
      throws Exception {
    boolean accepts = typed.accepts();
    this.table = table;
    this.random = random;
    this.passing = parts.passing();
    this.parts = parts;
    next.putAll(typed.from());
    next.putAll(saved == null ? Map.of() : saved.next());
    CommitOperator.LedgerFactory ledgers =
        parts.ledgers(() -> table.ledgers().open(failures -> failures < 5));
    CommitRecord record;
    try (TableLedger ledger = ledgers.open()) {
      record = ledger.last();
    }
    Map<TopicPartition, Long> offsets = new HashMap<>();
    next.forEach((p, offset) -> offsets.put(new TopicPartition(table.topic(), p), offset));
    if (record != null && saved == null) {
      AcceptedReplay.check(SimulatedTable.NAME, record.replay(), offsets, accepts, Map.of());
    }
    Forgetting forgetting =
        parts.forgetting(
            accepts
                ? Forgetting.nothing(AcceptedReplay.of(record, offsets))
                : Forgetting.from(record == null ? null : record.horizon(), table.retention()));
    Progress start = start(record, typed.gaps());
    for (int i = 0; i < shape.decoders(); i++) {
      decoders.add(decoder(parts, forgetting, start, shape, i, saved));
      inFlight.add(new ArrayDeque<>());
    }
    for (int i = 0; i < shape.gates(); i++) {
      gates.add(gate(parts, record, forgetting, start, shape, i, saved));
    }
    commits =
        new OneInputStreamOperatorTestHarness<>(
            new CommitOperator(
                ledgers,
                record == null ? null : record.commitId(),
                new CommitOperator.Source(
                    start,
                    Progress.NONE,
                    forgetting.replay(),
                    SimulatedJob::withoutKafka,
                    tails -> Map.of(),
                    false),
                UUID.randomUUID().toString(),
                Duration.ZERO,
                table.retention()));
    if (saved != null) {
      commits.initializeState(saved.commits());
    }
    commits.open();
  }

  private static TopicIds withoutKafka() {
    throw new AssertionError("the log has no topic that could be created anew");
  }

  private Progress start(@Nullable CommitRecord record, Set<Gap> gaps) {
    Map<TopicPartition, PartitionProgress> known = new HashMap<>();
    next.forEach(
        (p, offset) ->
            known.put(new TopicPartition(table.topic(), p), PartitionProgress.startingAt(offset)));
    if (record != null) {
      known.putAll(record.progress().partitions());
    }
    gaps.forEach(
        gap -> known.computeIfPresent(gap.partition(), (tp, p) -> p.skippingTo(gap.to() + 1)));
    Progress start = new Progress(known, Map.of(), gaps);
    return record == null ? start : start.merge(record.progress());
  }

  private OneInputStreamOperatorTestHarness<RawRecord, Arrival> decoder(
      Parts parts,
      Forgetting forgetting,
      Progress start,
      Shape shape,
      int index,
      @Nullable Saved saved)
      throws Exception {
    OneInputStreamOperatorTestHarness<RawRecord, Arrival> harness =
        new OneInputStreamOperatorTestHarness<>(
            new DecodeOperator(
                parts.decoders(table.decoders()), MalformedPolicy.FAIL, start, forgetting),
            MAX_PARALLELISM,
            shape.decoders(),
            index);
    if (saved != null) {
      harness.initializeState(part(saved.decoders(), shape.decoders(), index));
    }
    harness.open();
    return harness;
  }

  private KeyedTwoInputStreamOperatorTestHarness<PrimaryKey, Arrival, CommitInput, CommitInput>
      gate(
          Parts parts,
          @Nullable CommitRecord record,
          Forgetting forgetting,
          Progress start,
          Shape shape,
          int index,
          @Nullable Saved saved)
          throws Exception {
    Long snapshot =
        table.open().currentSnapshot() == null
            ? null
            : (Long) table.open().currentSnapshot().snapshotId();
    GateOperator operator =
        new GateOperator(
            parts.writers(
                new IcebergBatchWriterFactory(
                    table.catalog(),
                    SimulatedTable.NAME,
                    table.rows(),
                    table.description().version())),
            record == null
                ? null
                : parts.seed(
                    IcebergSeed.of(table.catalog(), SimulatedTable.NAME, snapshot, record)),
            new GateOperator.KeepSettings(shape.keepFromBytes(), false, "same", "same"),
            shape.gateBudgetBytes(),
            start,
            forgetting,
            MalformedPolicy.DEAD_LETTER);
    KeyedTwoInputStreamOperatorTestHarness<PrimaryKey, Arrival, CommitInput, CommitInput> harness =
        new KeyedTwoInputStreamOperatorTestHarness<>(
            operator, Arrival::key, null, Types.PRIMARY_KEY, MAX_PARALLELISM, shape.gates(), index);
    harness.setup(new CommitInputSerializer());
    if (saved != null) {
      harness.initializeState(part(saved.gates(), shape.gates(), index));
    }
    harness.open();
    return harness;
  }

  private static OperatorSubtaskState part(
      List<OperatorSubtaskState> states, int parallelism, int index) throws Exception {
    return AbstractStreamOperatorTestHarness.repartitionOperatorState(
        AbstractStreamOperatorTestHarness.repackageState(
            states.toArray(new OperatorSubtaskState[0])),
        MAX_PARALLELISM,
        states.size(),
        parallelism,
        index);
  }

  /** By partition the offset that is read next. */
  Map<Integer, Long> next() {
    return next;
  }

  boolean isAtEnd() {
    return next.entrySet().stream()
        .allMatch(p -> p.getValue() >= table.partitions().get(p.getKey()).size());
  }

  /** Reads some records of one partition; what they become may stay in flight. */
  void read(int partition, int count) throws Exception {
    List<RawRecord> log = table.partitions().get(partition);
    int subtask = partition % decoders.size();
    OneInputStreamOperatorTestHarness<RawRecord, Arrival> decoder = decoders.get(subtask);
    long from = next.get(partition);
    long until = Math.min(log.size(), from + count);
    for (long offset = from; offset < until; offset++) {
      decoder.processElement(new StreamRecord<>(log.get((int) offset)));
    }
    next.put(partition, until);
    inFlight.get(subtask).addAll(decoder.extractOutputValues());
    decoder.getOutput().clear();
  }

  /** Brings some of what is in flight to the gates. */
  void deliver(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      Queue<Arrival> queue = inFlight.get(random.nextInt(inFlight.size()));
      if (!queue.isEmpty()) {
        toGate(queue.remove());
      }
    }
  }

  private void deliverAll() throws Exception {
    while (inFlight.stream().anyMatch(queue -> !queue.isEmpty())) {
      deliver(1);
    }
  }

  private void toGate(Arrival arrival) throws Exception {
    if (passing.test(arrival.change())) {
      int gate =
          KeyGroupRangeAssignment.assignKeyToParallelOperator(
              arrival.key(), MAX_PARALLELISM, gates.size());
      gates.get(gate).processElement1(new StreamRecord<>(arrival));
    }
  }

  /**
   * Takes a checkpoint.
   *
   * @param partial whether it is aborted before all gates have seen its barrier
   * @return null if it was aborted
   */
  @Nullable Saved checkpoint(long id, boolean partial) throws Exception {
    List<OperatorSubtaskState> decoderStates = new ArrayList<>();
    for (OneInputStreamOperatorTestHarness<RawRecord, Arrival> decoder : decoders) {
      decoder.prepareSnapshotPreBarrier(id);
      Queue<StreamRecord<CommitInput>> progress = decoder.getSideOutput(DecodeOperator.PROGRESS);
      while (progress != null && !progress.isEmpty()) {
        CommitInput.Read heard = (CommitInput.Read) progress.remove().getValue();
        CommitInput told = new CommitInput.Read(parts.reported(heard.progress()));
        commits.processElement(new StreamRecord<>(told));
        for (int i = 0; i < gates.size(); i++) {
          gates.get(i).processElement2(new StreamRecord<>(told));
        }
      }
      decoderStates.add(decoder.snapshot(id, id));
    }
    deliverAll();
    List<OperatorSubtaskState> gateStates = new ArrayList<>();
    int first = random.nextInt(gates.size());
    int reached = partial ? random.nextInt(gates.size()) : gates.size();
    for (int i = 0; i < reached; i++) {
      KeyedTwoInputStreamOperatorTestHarness<PrimaryKey, Arrival, CommitInput, CommitInput> gate =
          gates.get((first + i) % gates.size());
      gate.prepareSnapshotPreBarrier(id);
      for (CommitInput input : gate.extractOutputValues()) {
        commits.processElement(new StreamRecord<>(input));
      }
      gate.getOutput().clear();
      Queue<StreamRecord<DeadLetter>> letters = gate.getSideOutput(GateOperator.DEAD_LETTERS);
      while (letters != null && !letters.isEmpty()) {
        table.putAside(letters.remove().getValue());
      }
      gateStates.add(gate.snapshot(id, id));
    }
    if (partial) {
      return null;
    }
    commits.prepareSnapshotPreBarrier(id);
    Shape shape = new Shape(decoders.size(), gates.size(), 0, 0);
    return new Saved(
        id, shape, decoderStates, gateStates, commits.snapshot(id, id), new TreeMap<>(next));
  }

  /** Tells the committer that a checkpoint is complete. */
  void complete(long id) throws Exception {
    commits.notifyOfCompletedCheckpoint(id);
  }

  @Override
  public void close() throws Exception {
    for (OneInputStreamOperatorTestHarness<RawRecord, Arrival> decoder : decoders) {
      decoder.close();
    }
    for (KeyedTwoInputStreamOperatorTestHarness<PrimaryKey, Arrival, CommitInput, CommitInput>
        gate : gates) {
      gate.close();
    }
    commits.close();
  }
}
