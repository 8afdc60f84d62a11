package io.tidemark.replay;

import io.tidemark.change.TopicPartition;
import io.tidemark.commit.Gap;
import io.tidemark.commit.UnavailableException;
import io.tidemark.config.StartPosition;
import io.tidemark.failure.RefusedException;
import io.tidemark.fault.Parts;
import io.tidemark.oracle.Offsets;
import io.tidemark.oracle.TableCheck;
import io.tidemark.replay.SimulatedJob.Saved;
import io.tidemark.replay.SimulatedJob.Shape;
import io.tidemark.replay.SimulatedJob.Start;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Runs a job to the end of its log through checkpoints that are aborted, lost or repeated, crashes,
 * restores at another parallelism, starts without state from the record or from below it, and old
 * jobs that wake up; and where it may, starts that leave records out for good. What a refused start
 * says to type is typed.
 */
final class SimulatedRun {
  private static final Pattern TYPED =
      Pattern.compile("[.]/tidemark run -c FILE --from (\\S+) --accept-horizon$");

  private static final int STEPS_TO_CALM = 300;

  private final SimulatedTable table;
  private final Parts parts;
  private final Random random;
  private final Random late;
  private final Random typing;
  private final Trouble trouble;
  private final List<SimulatedJob> zombies = new ArrayList<>();
  private final List<String> story = new ArrayList<>();
  private final Map<String, Long> troubles = new TreeMap<>();
  private final Map<Integer, Long> everRead = new TreeMap<>();
  private final Set<Gap> everAccepted = new HashSet<>();
  private SimulatedJob job;
  private @Nullable Saved completed;
  private @Nullable Long untold;
  private long checkpoint;
  private boolean hasLost;
  private int steps;
  private boolean accepts;

  /**
   * What may happen.
   *
   * @param happens how often, in percent of the steps, something else than reading goes wrong
   * @param smallBatches whether gates close batches early
   * @param replays whether starts without state may go below the record
   * @param pace how many records are read at once, at most
   * @param surelyLoses whether all state is lost after the first checkpoint, whatever else happens
   * @param gaps whether somebody accepts gaps over records that are there
   * @param accepts whether starts without state may read all again and take unknown keys for new
   *     ones
   */
  record Trouble(
      int happens,
      boolean smallBatches,
      boolean replays,
      int pace,
      boolean surelyLoses,
      boolean gaps,
      boolean accepts) {
    static final Trouble ALL = often(12);

    /** All of it, so often. */
    static Trouble often(int happens) {
      return new Trouble(happens, true, true, 15, false, false, false);
    }

    /** All of it, and gaps. */
    static Trouble withGaps() {
      return new Trouble(16, true, true, 8, false, true, false);
    }

    /** The same, and replays that take unknown keys for new ones. */
    static Trouble accepting(int happens) {
      return new Trouble(happens, true, true, 15, false, false, true);
    }

    /** All of it but batches that are closed early, as often in a long log as in a short one. */
    static Trouble over(int records) {
      return new Trouble(20, false, true, 2 + records / 8, true, false, false);
    }
  }

  SimulatedRun(SimulatedTable table, Parts parts, Random random, Trouble trouble) throws Exception {
    this.table = table;
    this.parts = parts;
    this.random = random;
    // Of its own: what seeds are known for does not hang on how often it is asked.
    this.late = new Random(table.catalog().name().hashCode());
    this.typing = new Random(~table.catalog().name().hashCode());
    this.trouble = trouble;
    this.job = new SimulatedJob(table, parts, shape(), random, beginning(), null);
  }

  /** Runs to the end, and returns what happened on the way. */
  List<String> run() throws Exception {
    int failures = 0;
    int attempts = 0;
    while (true) {
      try {
        if (job.isAtEnd() && finish()) {
          break;
        }
        if (job.isAtEnd() && ++attempts > 20) {
          throw new AssertionError("The run does not end: " + story);
        }
        step();
      } catch (Exception e) {
        if (++failures > 20 || !isFailureOfAJob(e)) {
          throw e;
        }
        story.add("failed: " + e.getClass().getSimpleName() + " " + e.getMessage());
        recover(!isRefusal(e) && completed != null);
      }
    }
    job.close();
    for (SimulatedJob zombie : zombies) {
      zombie.close();
    }
    return story;
  }

  /**
   * As Flink does after a failure, and the operator after a refusal: what the checkpoint knows may
   * have been passed by an old job that woke up.
   */
  private void recover(boolean withState) throws Exception {
    try {
      restart(withState);
    } catch (Exception e) {
      if (!withState || !isRefusal(e)) {
        throw e;
      }
      story.add("refused to be restored");
      restart(false);
    }
  }

  /** Gaps that somebody accepted; one whose job never committed is no gap. */
  Set<Gap> everAccepted() {
    return everAccepted;
  }

  /** By kind how often something went wrong. */
  Map<String, Long> troubles() {
    return troubles;
  }

  private void happens(String kind) {
    troubles.merge(kind, 1L, Long::sum);
    story.add(kind + " (checkpoint " + checkpoint + ")");
  }

  private void step() throws Exception {
    if (trouble.surelyLoses() && !hasLost && completed != null) {
      happens("state lost");
      restart(false);
    }
    int dice = random.nextInt(100);
    // Such a replay begins again after each lost state: with trouble without end, and a long log,
    // it
    // would come through once in hours.
    boolean calm = trouble.accepts() && ++steps > STEPS_TO_CALM;
    if (dice < trouble.happens() && !calm) {
      trouble();
    } else if (dice < 85) {
      List<Integer> partitions = new ArrayList<>(job.next().keySet());
      job.read(
          partitions.get(random.nextInt(partitions.size())), 1 + random.nextInt(trouble.pace()));
      job.next().forEach((p, offset) -> everRead.merge(p, offset, Math::max));
      job.deliver(random.nextInt(10));
    } else {
      Saved saved = job.checkpoint(++checkpoint, false);
      completed = saved;
      Long before = untold;
      untold = null;
      if (before != null && late.nextBoolean()) {
        happens("notification came after the next barrier");
        job.complete(before);
        before = null;
      }
      job.complete(checkpoint);
      if (before != null && late.nextBoolean()) {
        happens("notification came after the next one");
        job.complete(before);
      }
    }
  }

  private void trouble() throws Exception {
    switch (random.nextInt(7)) {
      case 0 -> {
        job.checkpoint(++checkpoint, true);
        happens("checkpoint aborted half way");
      }
      case 1 -> {
        job.checkpoint(++checkpoint, false);
        happens("checkpoint closed and failed");
      }
      case 2 -> {
        completed = job.checkpoint(++checkpoint, false);
        happens("checkpoint completed, nobody told");
        untold = checkpoint;
      }
      case 3 -> {
        completed = job.checkpoint(++checkpoint, false);
        happens("checkpoint completed, crash before the commit");
        restart(true);
      }
      case 4 -> {
        happens("crash");
        restart(completed != null);
      }
      case 5 -> {
        happens("state lost");
        restart(false);
      }
      default -> zombie();
    }
  }

  /** A new job starts without state; the old one wakes up and goes on with its checkpoint. */
  private void zombie() throws Exception {
    SimulatedJob old = job;
    long last = ++checkpoint;
    old.checkpoint(last, false);
    zombies.add(old);
    completed = null;
    untold = null;
    // In which order it was drawn is part of the histories that seeds are known for.
    Shape first = trouble.accepts() ? null : shape();
    Map<Integer, Long> from = from();
    job = withoutState(from, first == null ? shape() : first);
    if (random.nextBoolean()) {
      Saved saved = job.checkpoint(++checkpoint, false);
      completed = saved;
      job.complete(checkpoint);
    }
    happens("old job wakes up");
    try {
      old.complete(last);
    } catch (Exception e) {
      if (!isRefusal(e)) {
        throw e;
      }
    }
  }

  private void restart(boolean withState) throws Exception {
    job.close();
    untold = null;
    if (!withState) {
      hasLost = true;
      completed = null;
      // A new job counts its checkpoints from one.
      checkpoint = random.nextBoolean() ? 0 : checkpoint;
    }
    if (!withState) {
      job = withoutState(from(), shape());
      return;
    }
    story.add("restored");
    // From a savepoint it goes on without the option, after a failure with it.
    boolean again = accepts && typing.nextBoolean();
    job =
        new SimulatedJob(
            table, parts, shape(), random, new Start(Map.of(), Set.of(), again), completed);
  }

  private SimulatedJob withoutState(Map<Integer, Long> wanted, Shape shape) throws Exception {
    accepts = trouble.accepts() && typing.nextInt(3) == 0;
    Map<Integer, Long> from = accepts ? beginning() : wanted;
    if (accepts) {
      happens("replay from the beginning with --accept-horizon");
    }
    story.add("started without state from " + from);
    Set<Gap> gaps = trouble.gaps() ? leaveOut(from) : Set.of();
    try {
      return new SimulatedJob(table, parts, shape, random, new Start(from, gaps, accepts), null);
    } catch (RefusedException e) {
      happens("told to begin that replay again");
      story.add(e.getMessage());
      accepts = true;
      return new SimulatedJob(
          table, parts, shape, random, new Start(typed(e), Set.of(), true), null);
    }
  }

  /** Some of the next records, which are left out for good. */
  private Set<Gap> leaveOut(Map<Integer, Long> from) {
    Set<Gap> gaps = new HashSet<>();
    if (table.open().currentSnapshot() == null) {
      return gaps;
    }
    Offsets recorded = TableCheck.lastOffsets(table.open());
    for (int partition : from.keySet()) {
      long next = recorded.next(table.topic(), partition);
      long most = Math.min(5, table.partitions().get(partition).size() - next);
      if (late.nextInt(3) == 0 && most > 0) {
        long to = next + late.nextInt((int) most);
        gaps.add(new Gap(new TopicPartition(table.topic(), partition), next, to));
        from.put(partition, to + 1);
      }
    }
    everAccepted.addAll(gaps);
    if (!gaps.isEmpty()) {
      happens("gap accepted");
      story.add("gaps " + gaps);
    }
    return gaps;
  }

  /** The offsets of the command that a message ends with; the others are where the record is. */
  private Map<Integer, Long> typed(RefusedException e) {
    Matcher command = TYPED.matcher(String.valueOf(e.getMessage()));
    if (!command.find()) {
      throw new AssertionError("nothing to type", e);
    }
    Map<Integer, Long> from = new TreeMap<>();
    Offsets recorded = TableCheck.lastOffsets(table.open());
    for (int partition : table.partitions().keySet()) {
      from.put(
          partition, Math.max(table.origin(partition), recorded.next(table.topic(), partition)));
    }
    ((StartPosition.Offsets) StartPosition.parse(command.group(1)))
        .offsets()
        .forEach((partition, offset) -> from.put(partition.partition(), offset));
    return from;
  }

  private boolean finish() throws Exception {
    Saved saved = job.checkpoint(++checkpoint, false);
    completed = saved;
    job.complete(checkpoint);
    return reached();
  }

  private boolean reached() {
    Offsets recorded = TableCheck.lastOffsets(table.open());
    return table.partitions().entrySet().stream()
        .allMatch(p -> recorded.next(table.topic(), p.getKey()) >= p.getValue().size());
  }

  private Map<Integer, Long> from() {
    Offsets recorded = TableCheck.lastOffsets(table.open());
    Map<Integer, Long> from = new TreeMap<>();
    int how = trouble.replays() ? random.nextInt(3) : 0;
    for (int partition : table.partitions().keySet()) {
      long origin = table.origin(partition);
      long next = Math.max(origin, recorded.next(table.topic(), partition));
      from.put(
          partition,
          how == 0
              ? next
              : how == 1 ? origin : origin + (long) (random.nextDouble() * (next + 1 - origin)));
    }
    return parts.start(from, everRead);
  }

  private Map<Integer, Long> beginning() {
    Map<Integer, Long> from = new TreeMap<>();
    table.partitions().keySet().forEach(partition -> from.put(partition, table.origin(partition)));
    return from;
  }

  private Shape shape() {
    long budget = trouble.smallBatches() && random.nextBoolean() ? 2_000 : 1 << 20;
    // Every row is kept in state, or none but those that columns are kept in.
    int keepFrom = random.nextBoolean() ? 0 : 1 << 20;
    return new Shape(1 + random.nextInt(3), 1 + random.nextInt(3), budget, keepFrom);
  }

  private static boolean isFailureOfAJob(Throwable e) {
    return isRefusal(e) || isCause(e, UnavailableException.class);
  }

  private static boolean isRefusal(Throwable e) {
    return isCause(e, RefusedException.class);
  }

  private static boolean isCause(@Nullable Throwable e, Class<?> type) {
    return e != null && (type.isInstance(e) || isCause(e.getCause(), type));
  }
}
