package io.tidemark.replay;

import io.tidemark.commit.UnavailableException;
import io.tidemark.failure.RefusedException;
import io.tidemark.fault.Parts;
import io.tidemark.oracle.Offsets;
import io.tidemark.oracle.TableCheck;
import io.tidemark.replay.SimulatedJob.Saved;
import io.tidemark.replay.SimulatedJob.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Runs a job to the end of its log through checkpoints that are aborted, lost or repeated, crashes,
 * restores at another parallelism, starts without state from the record or from below it, and old
 * jobs that wake up.
 */
final class SimulatedRun {

  private final SimulatedTable table;
  private final Parts parts;
  private final Random random;
  private final Trouble trouble;
  private final List<SimulatedJob> zombies = new ArrayList<>();
  private final List<String> story = new ArrayList<>();
  private final Map<String, Long> troubles = new TreeMap<>();
  private final Map<Integer, Long> everRead = new TreeMap<>();
  private SimulatedJob job;
  private @Nullable Saved completed;
  private long checkpoint;
  private boolean hasLost;

  /**
   * What may happen.
   *
   * @param happens how often, in percent of the steps, something else than reading goes wrong
   * @param smallBatches whether gates close batches early
   * @param replays whether starts without state may go below the record
   * @param pace how many records are read at once, at most
   * @param surelyLoses whether all state is lost after the first checkpoint, whatever else happens
   */
  record Trouble(
      int happens, boolean smallBatches, boolean replays, int pace, boolean surelyLoses) {
    static final Trouble ALL = often(12);

    /** All of it, so often. */
    static Trouble often(int happens) {
      return new Trouble(happens, true, true, 15, false);
    }

    /** All of it but batches that are closed early, as often in a long log as in a short one. */
    static Trouble over(int records) {
      return new Trouble(20, false, true, 2 + records / 8, true);
    }
  }

  SimulatedRun(SimulatedTable table, Parts parts, Random random, Trouble trouble) throws Exception {
    this.table = table;
    this.parts = parts;
    this.random = random;
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
    if (dice < trouble.happens()) {
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
      job.complete(checkpoint);
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
    job = new SimulatedJob(table, parts, shape(), random, from(), null);
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
    if (!withState) {
      hasLost = true;
      completed = null;
      // A new job counts its checkpoints from one.
      checkpoint = random.nextBoolean() ? 0 : checkpoint;
    }
    Map<Integer, Long> from = withState ? Map.of() : from();
    story.add(withState ? "restored" : "started without state from " + from);
    job = new SimulatedJob(table, parts, shape(), random, from, completed);
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
