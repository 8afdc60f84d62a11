package io.tidemark.replay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The runs of a tier, each from a seed of its own. How many there are says the property {@code
 * tidemark.runs.<tier>}, times {@code tidemark.runs.scale}: the build sets the first, for each
 * change or for the night. A failing run names its seed; what all of them were goes to the file
 * that {@code tidemark.report} names.
 */
public final class Runs {

  private static final int FAILURES_KEPT = 5;

  private final String tier;
  private final String test;
  private final long count;
  private final long firstSeed;
  private final Map<String, Long> counts = new TreeMap<>();
  private final Map<String, Long> faults = new TreeMap<>();
  private final List<String> failures = new ArrayList<>();
  private @Nullable Throwable first;

  /** One run. */
  @FunctionalInterface
  public interface Run {
    void run(long seed) throws Exception;
  }

  private Runs(String tier, String test) {
    this.tier = tier;
    this.test = test;
    this.count = count(tier);
    this.firstSeed = firstSeed();
  }

  /** How many runs a tier has. */
  static long count(String tier) {
    double scale = Double.parseDouble(System.getProperty("tidemark.runs.scale", "1"));
    long number = Long.getLong("tidemark.runs." + tier, 1);
    return Long.getLong("tidemark.seed") == null ? Math.max(1, Math.round(number * scale)) : 1;
  }

  /** The seed of a tier's first run. */
  static long firstSeed() {
    return Long.getLong("tidemark.seed", Long.getLong("tidemark.runs.first-seed", 1));
  }

  /** The runs of a test; one if it is not Maven that runs it. */
  public static Runs of(String tier, String test) {
    return new Runs(tier, test);
  }

  /** Goes through all seeds, one after the other. */
  public void forEach(Run run) {
    forEach(1, 1, run);
  }

  /**
   * Goes through all seeds. After the first failures it gives up.
   *
   * @param each how many runs one seed stands for
   * @param threads how many seeds run at once; they must have nothing in common
   */
  public void forEach(int each, int threads, Run run) {
    long seeds = Math.max(1, count / each);
    String what =
        "%s, tier %s: %,d runs, seeds %d to %d (-Dtidemark.seed=<one of them>), commit %s"
            .formatted(
                test, tier, seeds * each, firstSeed, firstSeed + seeds - 1, GitCommit.current());
    System.out.println(what);
    long began = System.nanoTime();
    AtomicLong next = new AtomicLong(firstSeed);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    for (int i = 0; i < threads; i++) {
      pool.execute(
          () -> {
            long seed;
            while ((seed = next.getAndIncrement()) < firstSeed + seeds && !givenUp()) {
              one(seed, each, run);
            }
          });
    }
    pool.shutdown();
    try {
      while (!pool.awaitTermination(1, TimeUnit.HOURS)) {
        System.out.println(test + " has come to seed " + next.get());
      }
    } catch (InterruptedException e) {
      pool.shutdownNow();
      Thread.currentThread().interrupt();
      throw new AssertionError(test + " was interrupted before seed " + next.get(), e);
    }
    report(what, Duration.ofNanos(System.nanoTime() - began));
    if (first != null) {
      throw new AssertionError(String.join("\n", failures), first);
    }
  }

  private void one(long seed, int each, Run run) {
    try {
      run.run(seed);
      count("runs", each);
    } catch (Throwable e) {
      synchronized (this) {
        first = first == null ? e : first;
        failures.add("-Dtest=" + test + " -Dtidemark.seed=" + seed + ": " + e.getMessage());
      }
    }
  }

  private synchronized boolean givenUp() {
    return failures.size() >= FAILURES_KEPT;
  }

  /** Counts what was checked. */
  public synchronized void count(String what, long times) {
    counts.merge(what, times, Long::sum);
  }

  /** Counts what went wrong on purpose. */
  public synchronized void fault(String kind, long times) {
    faults.merge(kind, times, Long::sum);
  }

  private synchronized void report(String what, Duration took) {
    StringBuilder text = new StringBuilder(what).append("\n  took ").append(took.toSeconds());
    text.append(" s, failures: ").append(failures.size());
    counts.forEach((name, times) -> text.append("%n  %s: %,d".formatted(name, times)));
    faults.forEach((name, times) -> text.append("%n  fault, %s: %,d".formatted(name, times)));
    failures.forEach(failure -> text.append("\n  FAILED ").append(failure));
    text.append('\n');
    write(text);
  }

  /** Writes a line of its own. */
  static void note(String line) {
    write(line + "\n");
  }

  private static synchronized void write(CharSequence text) {
    System.out.print(text);
    String file = System.getProperty("tidemark.report");
    if (file == null) {
      return;
    }
    try {
      Files.createDirectories(Path.of(file).getParent());
      Files.writeString(
          Path.of(file),
          text,
          StandardCharsets.UTF_8,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
