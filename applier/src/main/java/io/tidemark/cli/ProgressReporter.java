package io.tidemark.cli;

import io.tidemark.commit.UnavailableException;
import io.tidemark.job.LocalJob;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Prints how far a run is, as the table's own record and Kafka tell it: what it shows is committed.
 * Thread-safe.
 */
final class ProgressReporter implements AutoCloseable {

  /** Where it asks how the job is. */
  interface Job {
    /** How it is; null if that is not known. */
    LocalJob.@Nullable Health health() throws InterruptedException;
  }

  /** Where it looks. */
  interface Source {
    /**
     * How far the table is now.
     *
     * @throws UnavailableException if Kafka or the catalog did not answer in time
     */
    Sample sample();

    /**
     * How many rows were written and keys deleted since a commit; a key counts once for each commit
     * that changes it.
     *
     * @param commitId null for all commits
     * @return null if the table's history does not tell any more
     * @throws UnavailableException if the catalog did not answer in time
     */
    @Nullable Long changedSince(@Nullable String commitId);
  }

  /**
   * How far a table is.
   *
   * @param read records between the table's origin and its record, of all partitions
   * @param lag records between the table's record and Kafka's end
   * @param commitId of the newest record; null if there is none
   * @param commitRows rows that the newest commit wrote
   * @param commitDeletes keys that the newest commit deleted
   */
  record Sample(
      long read, long lag, @Nullable String commitId, long commitRows, long commitDeletes) {}

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

  private final Source source;
  private final Job job;
  private final UnaryOperator<String> typed;
  private final PrintWriter out;
  private final Clock clock;
  private final Instant started;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "tidemark-progress");
            thread.setDaemon(true);
            return thread;
          });
  private @Nullable ScheduledFuture<?> ticks;
  private @Nullable Sample first;
  private @Nullable Sample last;
  private Instant lastAt;
  private @Nullable Instant committedAt;
  private long aside;
  private long inGaps;
  private @Nullable Long failedAt;

  /**
   * Makes one.
   *
   * @param typed makes a message what it is for this configuration
   */
  ProgressReporter(
      Source source, Job job, UnaryOperator<String> typed, PrintWriter out, Clock clock) {
    this.source = source;
    this.job = job;
    this.typed = typed;
    this.out = out;
    this.clock = clock;
    this.started = clock.instant();
    this.lastAt = started;
  }

  /** Prints a line at once, which later ones count from, and then every {@code interval}. */
  synchronized void start(Duration interval) {
    ticks = timer.scheduleWithFixedDelay(this::tick, 0, interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Looks once and prints a line. */
  synchronized void tick() {
    String time = TIME.format(LocalTime.now(clock));
    try {
      LocalJob.Health health = job.health();
      if (health != null) {
        aside = health.aside();
        inGaps = health.inGaps();
        tellFailure(time, health);
      }
      out.println(time + "  " + line(source.sample()) + leftOut(", ", aside, inGaps, ""));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (UnavailableException e) {
      out.println(time + "  progress is not known: " + said(e));
    }
    out.flush();
  }

  /** The first line of why Flink starts the job again, once for each time that it does. */
  private void tellFailure(String time, LocalJob.Health health) {
    Throwable failure = health.failure();
    if (failure != null && !Objects.equals(failedAt, health.failedAt())) {
      failedAt = health.failedAt();
      String why = said(failure).lines().findFirst().orElse("");
      out.println(
          time
              + "  Flink starts the job again: "
              + failure.getClass().getSimpleName()
              + ": "
              + why);
    }
  }

  private String said(Throwable e) {
    return typed.apply(String.valueOf(e.getMessage()));
  }

  private static String leftOut(String before, long aside, long inGaps, String after) {
    return (aside == 0 ? "" : before + number(aside) + " put aside" + after)
        + (inGaps == 0 ? "" : before + number(inGaps) + " left out in accepted gaps" + after);
  }

  private String line(Sample now) {
    Sample before = last;
    Instant at = clock.instant();
    if (before == null || first == null) {
      first = now;
    } else if (now.commitId() != null && !now.commitId().equals(before.commitId())) {
      committedAt = at;
    }
    String rate =
        before == null ? "" : " (" + rate(newly(before, now), Duration.between(lastAt, at)) + ")";
    last = now;
    lastAt = at;
    return number(now.read())
        + " events applied"
        + rate
        + ", lag "
        + number(now.lag())
        + ", "
        + commit(now, at);
  }

  private String commit(Sample now, Instant at) {
    if (now.commitId() == null) {
      return "no commit yet";
    }
    if (committedAt == null) {
      return "no new commit yet";
    }
    return "last commit %d s ago wrote %s rows, deleted %s"
        .formatted(
            Duration.between(committedAt, at).toSeconds(),
            number(now.commitRows()),
            number(now.commitDeletes()));
  }

  /**
   * Stops the lines and prints what the run came to.
   *
   * @param outcome null if the job did not come to its end
   */
  synchronized void summary(String how, LocalJob.@Nullable Outcome outcome) {
    close();
    Sample begin = first;
    try {
      Sample end = source.sample();
      Duration took = Duration.between(started, clock.instant());
      Sample from = begin == null ? end : begin;
      // A replay reads what lies below the record, which then does not move.
      Long planned = outcome == null ? null : outcome.read();
      long read = planned == null ? newly(from, end) : planned;
      out.println(
          "%s: %s events in %.1f s (%s), %s%slag %s."
              .formatted(
                  how,
                  number(read),
                  took.toMillis() / 1000.0,
                  rate(read, took),
                  outcome == null ? "" : changed(outcome) + " rows changed, ",
                  leftOut(
                      "",
                      outcome == null ? aside : outcome.aside(),
                      outcome == null ? inGaps : outcome.inGaps(),
                      ", "),
                  number(end.lag())));
    } catch (UnavailableException e) {
      out.println(how + ". Progress is not known: " + said(e));
    }
    out.flush();
  }

  private String changed(LocalJob.Outcome outcome) {
    Long changed = source.changedSince(outcome.startsFrom());
    return changed == null ? "an unknown number of" : number(changed);
  }

  /** None where the table was rolled back or dropped: what was applied is then less than before. */
  private static long newly(Sample before, Sample now) {
    return Math.max(0, now.read() - before.read());
  }

  private static String rate(long read, Duration took) {
    double seconds = Math.max(took.toMillis(), 1) / 1000.0;
    return number(Math.round(read / seconds)) + "/s";
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  @Override
  public synchronized void close() {
    if (ticks != null) {
      ticks.cancel(false);
    }
    timer.shutdownNow();
  }
}
