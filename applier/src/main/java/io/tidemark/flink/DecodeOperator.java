package io.tidemark.flink;

import io.tidemark.change.Change;
import io.tidemark.change.CommitVersion;
import io.tidemark.change.PartitionLedger;
import io.tidemark.change.PartitionProgress;
import io.tidemark.change.RankRefused;
import io.tidemark.change.SourceOffset;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.CommitCodec;
import io.tidemark.commit.Gap;
import io.tidemark.commit.Gaps;
import io.tidemark.commit.LastRecord;
import io.tidemark.commit.NewEpoch;
import io.tidemark.commit.Progress;
import io.tidemark.commit.ProgressText;
import io.tidemark.commit.Retention;
import io.tidemark.debezium.DecodeResult;
import io.tidemark.debezium.RawRecord;
import io.tidemark.failure.BadEventException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decodes records and gives each change its version.
 *
 * <p>It stands in the same task as the source, so it sees each partition in Kafka's order, and what
 * it has passed at a barrier is exactly what the checkpoint covers: that is why the offsets that it
 * reports before the barrier are exact. What it must remember of partitions is union state, merged,
 * because partitions move between subtasks when the job is rescaled.
 */
public final class DecodeOperator extends AbstractStreamOperator<Arrival>
    implements OneInputStreamOperator<RawRecord, Arrival>, BoundedOneInput {
  /** How far this subtask has read. */
  public static final OutputTag<CommitInput> PROGRESS =
      new OutputTag<>("progress", Types.COMMIT_INPUT);

  /** What could not be decoded, under {@link MalformedPolicy#DEAD_LETTER} or by its own choice. */
  public static final OutputTag<DeadLetter> DEAD_LETTERS =
      new OutputTag<>("dead-letters", Types.DEAD_LETTER);

  /** Accumulator of bounded runs: a {@link HighestVersions}. */
  public static final String HIGHEST_VERSIONS = "highest-versions";

  /** Accumulator of bounded runs: how many records could not be decoded. */
  public static final String MALFORMED = "malformed";

  /** Accumulator of bounded runs: {@link FirstProblems} of those. */
  public static final String PROBLEMS = "problems";

  /**
   * Name of the accumulator with how many records this operator and the gates have put aside or
   * skipped since the job was last started.
   */
  public static final String ASIDE = "put aside";

  /**
   * Name of the accumulator with how many records this operator has left out, since the job was
   * last started, because they lie in gaps that somebody accepted.
   */
  public static final String IN_GAPS = "in accepted gaps";

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(DecodeOperator.class);

  private final Decoder.Factory decoders;
  private final MalformedPolicy policy;
  private final byte[] start;
  private final Forgetting forgetting;

  private transient Decoder decoder;
  private transient Map<TopicPartition, PartitionProgress> known;
  private transient Map<TopicPartition, PartitionLedger> reading;
  private transient boolean addedSinceState;
  private transient Set<Gap> accepted;
  private transient Gaps gaps;
  private transient Map<TopicPartition, RawRecord> newest;
  private transient Map<TopicPartition, LastRecord> lastRecords;
  private transient ListState<byte[]> state;
  private transient Counter changes;
  private transient Counter malformed;
  private transient FirstProblems problems;
  private transient LongCounter aside;
  private transient LongCounter inGaps;
  private transient boolean ended;
  private transient long newestMicros;

  /**
   * An operator of a job that starts without state.
   *
   * @param start what is known of every partition, those that came later than the table's record
   *     among them, and the record's gaps with those that are accepted for this start
   * @param forgetting what the gates are told of the horizon
   */
  public DecodeOperator(
      Decoder.Factory decoders, MalformedPolicy policy, Progress start, Forgetting forgetting) {
    this.decoders = decoders;
    this.policy = policy;
    this.start = CommitCodec.progressToBytes(start);
    this.forgetting = forgetting;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    state =
        context
            .getOperatorStateStore()
            .getUnionListState(
                new ListStateDescriptor<>("partitions", BytePrimitiveArraySerializer.INSTANCE));
    reading = new HashMap<>();
    newest = new HashMap<>();
    lastRecords = new HashMap<>();
    known = new HashMap<>();
    Progress planned = CommitCodec.progressFromBytes(start);
    // A replay may be below a gap when its state is saved, so the gaps are state. Those of the plan
    // belong to it as well: earlier builds did not save any, and where the table's record has one
    // that the state is older than, nothing of the state is committed.
    accepted = new HashSet<>(planned.gaps());
    if (!context.isRestored()) {
      known.putAll(planned.partitions());
    } else {
      // The state alone: a partition that the plan knows and the state does not came in between.
      for (byte[] part : state.get()) {
        Progress restored = RestoredProgress.of(part);
        restored
            .partitions()
            .forEach((tp, progress) -> known.merge(tp, progress, PartitionProgress::merge));
        accepted.addAll(restored.gaps());
      }
    }
    addedSinceState = !known.keySet().containsAll(planned.partitions().keySet());
    gaps = new Gaps(accepted);
    newestMicros =
        known.values().stream()
            .mapToLong(partition -> partition.last().highWaterTimeMicros())
            .max()
            .orElse(Retention.NONE);
  }

  @Override
  public void open() throws Exception {
    super.open();
    decoder = decoders.open();
    changes = getMetricGroup().counter("changes");
    malformed = getMetricGroup().counter("malformed");
    problems = new FirstProblems();
    aside = new LongCounter();
    getRuntimeContext().addAccumulator(ASIDE, aside);
    inGaps = new LongCounter();
    getRuntimeContext().addAccumulator(IN_GAPS, inGaps);
  }

  @Override
  public void processElement(StreamRecord<RawRecord> element) {
    RawRecord record = element.getValue();
    SourceOffset at = record.at();
    PartitionLedger ledger = ledger(at);
    // Before anything is learned of it: what followed was ranked without it, and is again.
    if (gaps.have(at)) {
      leaveOut(at);
    } else {
      read(record, ledger);
    }
    ledger.passed(at.offset());
    newest.put(new TopicPartition(at.topic(), at.partition()), record);
  }

  private void leaveOut(SourceOffset at) {
    if (inGaps.getLocalValue() == 0) {
      LOG.info(
          "Left out a record at {}, as all that lie in the gaps of the table's record"
              + " (tidemark.gaps, --accept-gap)",
          at);
    }
    inGaps.add(1);
  }

  private void read(RawRecord record, PartitionLedger ledger) {
    DecodeResult result = decoder.decode(record);
    if (result instanceof DecodeResult.Decoded decoded) {
      emit(decoded, record, ledger);
    } else if (result instanceof DecodeResult.Malformed bad) {
      refuse(record, bad, ledger);
    }
  }

  private void emit(DecodeResult.Decoded decoded, RawRecord record, PartitionLedger ledger) {
    CommitVersion version;
    try {
      version = ledger.rank(decoded.source(), decoded.sourceTimeMicros(), record.at().offset());
    } catch (RankRefused e) {
      // Whatever the policy: to pass it by would be to guess the order of all that follows.
      throw stop(new BadEventException(record.at(), refusal(e, record.at())));
    }
    changes.inc();
    long madeAt = decoded.sourceTimeMicros();
    newestMicros = Math.max(newestMicros, madeAt);
    Change change =
        new Change(
            decoded.key(),
            decoded.kind(),
            version,
            madeAt,
            decoded.row(),
            decoded.unsent(),
            decoded.removed());
    // The gates' horizon follows the slowest partition, so it is not above what follows from the
    // newest change here: what is newer than that is never refused, and travels without its record.
    boolean old = madeAt < forgetting.horizon(newestMicros);
    output.collect(new StreamRecord<>(new Arrival(change, old ? record : null)));
  }

  private static String refusal(RankRefused e, SourceOffset at) {
    if (e.epochAt().isEmpty()) {
      return String.valueOf(e.getMessage());
    }
    return e.getMessage()
        + ". If everything from there on is newer than all before it, begin an epoch there: "
        + NewEpoch.command(
            new TopicPartition(at.topic(), at.partition()),
            e.epochAt().getAsLong(),
            e.inAllPartitions());
  }

  private void refuse(RawRecord record, DecodeResult.Malformed bad, PartitionLedger ledger) {
    malformed.inc();
    String problem = bad.problem();
    problems.add(record.at(), problem);
    switch (bad.deadLetter() ? MalformedPolicy.DEAD_LETTER : policy) {
      case FAIL -> throw stop(new BadEventException(record.at(), problem));
      case DEAD_LETTER -> {
        String ranks = ranks(record.at(), ledger);
        output.collect(DEAD_LETTERS, new StreamRecord<>(new DeadLetter(record, problem, ranks)));
        DeadLetter.log(LOG, record.at(), problem, malformed.getCount());
      }
      case SKIP -> LOG.warn("Skipped a record at {}: {}", record.at(), problem);
    }
    aside.add(1);
  }

  /**
   * What the version of a record follows from. A reader that comes again knows what came after it,
   * too, and cannot say.
   */
  private @Nullable String ranks(SourceOffset at, PartitionLedger ledger) {
    TopicPartition partition = new TopicPartition(at.topic(), at.partition());
    PartitionProgress before = known.get(partition);
    return before != null && at.offset() < before.nextOffset()
        ? null
        : ProgressText.of(partition, ledger.progress());
  }

  /** The same record fails in every attempt, so the job is not restarted. */
  private static RuntimeException stop(BadEventException e) {
    return new SuppressRestartsException(e);
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) {
    if (!ended) {
      report();
    }
  }

  @Override
  public void endInput() {
    report();
    ended = true; // nothing may follow the end of the input
    TreeMap<String, String> highest = new TreeMap<>();
    reading.forEach(
        (tp, ledger) -> {
          CommitVersion version = ledger.highest();
          if (version != null) {
            highest.put(tp.toString(), version.toText());
          }
        });
    HighestVersions versions = new HighestVersions();
    versions.add(highest);
    getRuntimeContext().addAccumulator(HIGHEST_VERSIONS, versions);
    LongCounter undecoded = new LongCounter();
    undecoded.add(malformed.getCount());
    getRuntimeContext().addAccumulator(MALFORMED, undecoded);
    getRuntimeContext().addAccumulator(PROBLEMS, problems);
  }

  private void report() {
    if (!reading.isEmpty()) {
      output.collect(PROGRESS, new StreamRecord<>(new CommitInput.Read(progress())));
    }
  }

  private Progress progress() {
    Map<TopicPartition, PartitionProgress> progress = new HashMap<>();
    reading.forEach((tp, ledger) -> progress.put(tp, ledger.progress()));
    // At barriers only: to hash every record would cost more than to decode some.
    newest.forEach(
        (tp, record) ->
            lastRecords.put(
                tp,
                LastRecord.of(
                    record.at().offset(), record.timestampMillis(), record.key(), record.value())));
    newest.clear();
    return new Progress(progress).withLastRecords(lastRecords);
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    // Also what was restored and not read since: its snapshots must keep their ranks.
    Progress all = new Progress(known, Map.of(), accepted).merge(progress());
    state.update(List.of(CommitCodec.progressToBytes(all)));
  }

  /** Partitions that exist at the start are all known then; another one has come since. */
  private PartitionLedger open(TopicPartition partition, long offset) {
    PartitionProgress progress = known.get(partition);
    if (progress != null) {
      return new PartitionLedger(
          progress, new Progress(known).formerPlaces(partition, addedSinceState));
    }
    return new PartitionLedger(
        known.isEmpty()
            ? PartitionProgress.startingAt(offset)
            : PartitionProgress.comingLateAt(offset, new Progress(known).newestEpoch()));
  }

  private PartitionLedger ledger(SourceOffset at) {
    return reading.computeIfAbsent(
        new TopicPartition(at.topic(), at.partition()), tp -> open(tp, at.offset()));
  }
}
