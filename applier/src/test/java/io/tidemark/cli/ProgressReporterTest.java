package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.ProgressReporter.Sample;
import io.tidemark.commit.UnavailableException;
import io.tidemark.job.LocalJob;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProgressReporterTest {
  private final Deque<Sample> samples = new ArrayDeque<>();
  private final StringWriter out = new StringWriter();
  private final SteppedClock clock = new SteppedClock();

  @Test
  void linesCountFromTheFirstAndRatesFromTheLast() {
    ProgressReporter reporter = reporter();
    samples.addAll(
        List.of(
            new Sample(100, 5000, "a", 1, 1),
            new Sample(2100, 3000, "b", 1500, 20),
            new Sample(2100, 3000, "b", 1500, 20),
            new Sample(5100, 0, "c", 10, 0)));
    reporter.tick();
    clock.now = clock.now.plusSeconds(2);
    reporter.tick();
    clock.now = clock.now.plusSeconds(2);
    reporter.tick();
    reporter.summary("Caught up", null);
    samples.add(new Sample(5100, 0, "c", 10, 0));
    reporter.summary("Caught up", new LocalJob.Outcome(5100L, "a", 0, 0));
    samples.add(new Sample(5100, 0, "c", 10, 0));
    reporter.summary("Caught up", new LocalJob.Outcome(5100L, "expired", 0, 0));

    assertThat(out.toString().lines())
        .containsExactly(
            "12:00:00  100 events applied, lag 5,000, no new commit yet",
            "12:00:02  2,100 events applied (1,000/s), lag 3,000, last commit 0 s ago wrote 1,500 rows,"
                + " deleted 20",
            "12:00:04  2,100 events applied (0/s), lag 3,000, last commit 2 s ago wrote 1,500 rows,"
                + " deleted 20",
            "Caught up: 5,000 events in 4.0 s (1,250/s), lag 0.",
            "Caught up: 5,100 events in 4.0 s (1,275/s), 1,530 rows changed, lag 0.",
            "Caught up: 5,100 events in 4.0 s (1,275/s), an unknown number of rows changed, lag 0.");
  }

  @Test
  void aTableWithoutCommitsHasNone() {
    samples.add(new Sample(0, 7, null, 0, 0));
    reporter().tick();

    assertThat(out.toString()).contains("0 events applied, lag 7, no commit yet");
  }

  @Test
  void nothingIsAppliedBackwardsWhereTheTableWasDropped() {
    ProgressReporter reporter = reporter();
    samples.add(new Sample(5100, 0, "a", 1, 0));
    samples.add(new Sample(0, 5100, null, 0, 0));
    samples.add(new Sample(0, 5100, null, 0, 0));
    reporter.tick();
    clock.now = clock.now.plusSeconds(5);
    reporter.tick();
    reporter.summary("Stopped", null);

    assertThat(out.toString().lines().skip(1))
        .containsExactly(
            "12:00:05  0 events applied (0/s), lag 5,100, no commit yet",
            "Stopped: 0 events in 5.0 s (0/s), lag 5,100.");
  }

  @Test
  void whatWasPutAsideAndWhyFlinkStartsAgainIsSaid() {
    samples.add(new Sample(0, 7, null, 0, 0));
    samples.add(new Sample(0, 7, null, 0, 0));
    samples.add(new Sample(7, 0, "a", 1, 0));
    health = new LocalJob.Health(1234, 3, 5L, new IllegalStateException("run -c FILE\nmore"));
    ProgressReporter reporter = reporter();
    reporter.tick();
    reporter.tick();
    reporter.summary("Caught up", new LocalJob.Outcome(7L, "a", 1235, 4));

    assertThat(out.toString().lines())
        .containsExactly(
            "12:00:00  Flink starts the job again: IllegalStateException: run -c shop.yaml",
            "12:00:00  0 events applied, lag 7, no commit yet, 1,234 put aside,"
                + " 3 left out in accepted gaps",
            "12:00:00  0 events applied (0/s), lag 7, no commit yet, 1,234 put aside,"
                + " 3 left out in accepted gaps",
            "Caught up: 7 events in 0.0 s (7,000/s), 1,530 rows changed, 1,235 put aside,"
                + " 4 left out in accepted gaps, lag 0.");
  }

  @Test
  void whatDoesNotAnswerIsSaidAndDoesNotEndTheRun() {
    ProgressReporter reporter = reporter();
    reporter.tick();
    reporter.summary("Stopped", null);

    assertThat(out.toString().lines())
        .containsExactly(
            "12:00:00  progress is not known: broker away",
            "Stopped. Progress is not known: broker away");
  }

  private LocalJob.@Nullable Health health;

  private ProgressReporter reporter() {
    return new ProgressReporter(
        new Given(),
        () -> health,
        text -> text.replace("FILE", "shop.yaml"),
        new PrintWriter(out),
        clock);
  }

  private final class Given implements ProgressReporter.Source {
    @Override
    public Sample sample() {
      Sample next = samples.poll();
      if (next == null) {
        throw new UnavailableException("broker away", new IllegalStateException());
      }
      return next;
    }

    @Override
    public @Nullable Long changedSince(@Nullable String commitId) {
      return "a".equals(commitId) ? 1530L : null;
    }
  }

  private static final class SteppedClock extends Clock {
    private Instant now = Instant.parse("2026-01-31T12:00:00Z").plus(Duration.ZERO);

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }
  }
}
