package io.tidemark.sandbox;

import static io.tidemark.sandbox.Narration.count;

import io.tidemark.sandbox.Jobs.From;
import io.tidemark.sandbox.Jobs.Job;
import io.tidemark.script.Workload;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** The steps of the proof, on a stack that is up. */
final class Demo {

  private static final Duration SHIPPING = Duration.ofMinutes(2);

  private final DemoSettings settings;
  private final Stack stack;
  private final DebeziumRelay relay;
  private final Workload workload;
  private final Jobs jobs;
  private final LakeTable lake;
  private final Narration tell;
  private final Proof proof = new Proof();

  private Demo(
      DemoSettings settings,
      Stack stack,
      DebeziumRelay relay,
      Workload workload,
      Jobs jobs,
      LakeTable lake,
      Narration tell) {
    this.settings = settings;
    this.stack = stack;
    this.relay = relay;
    this.workload = workload;
    this.jobs = jobs;
    this.lake = lake;
    this.tell = tell;
  }

  /**
   * Fills the database, lets jobs run and be killed, and compares after each.
   *
   * @return the lines up to the first that does not hold
   */
  static Proof run(DemoSettings settings, Stack stack, Jobs jobs, Narration tell)
      throws SQLException {
    try (Workload workload = new Workload(stack.postgres()::connect, settings.seed());
        LakeTable lake = LakeTable.in(stack.warehouse())) {
      workload.insertRows(settings.rowsBeforeSnapshot());
      tell.step(
          "PostgreSQL has shop.orders with %s rows; starting Debezium, which sends them first",
          count(workload.rows()));
      DebeziumRelay relay = stack.startRelay();
      Demo demo = new Demo(settings, stack, relay, workload, jobs, lake, tell);
      demo.fill();
      demo.prove();
      return demo.proof;
    }
  }

  /** One step of the proof. */
  private interface Step {
    void run() throws SQLException;
  }

  /** Stops after the first line that does not hold: the steps after it build on it. */
  private void prove() throws SQLException {
    List<Step> steps =
        List.of(
            this::firstRun,
            this::replayedFromOffsetZero,
            this::copiedAndShuffled,
            this::killedInTheMiddle,
            this::lateUpdate);
    for (Step step : steps) {
      if (proof.holds()) {
        step.run();
      }
    }
  }

  private void fill() throws SQLException {
    long changes = workload.run(settings.changes());
    tell.step(
        "%s changes made: inserts, updates, deletes, deletes with re-insert, changed keys,"
            + " rollbacks, interleaved transactions",
        count(changes));
    relay.awaitShipped(SHIPPING);
    tell.step(
        "Debezium has shipped all of it: %s records in topic %s (each delete is followed by a"
            + " tombstone)",
        count(relay.shipped()), stack.topic());
  }

  private void firstRun() {
    tell.step("(a) First run of the job");
    long read = catchUp(From.RECORDED);
    proof.add(compare("(a) after the first run", read, null, List.of()));
  }

  private void replayedFromOffsetZero() {
    OrderRows before = lake.rows();
    tell.step("(b) Flink's state is gone. A new job reads the whole topic again from offset 0");
    long read = catchUp(From.EARLIEST);
    proof.add(compare("(b) no Flink state, topic replayed from offset 0", read, before, List.of()));
  }

  private void copiedAndShuffled() {
    OrderRows before = lake.rows();
    int copies = new TopicCopies(stack.kafka()).twiceShuffled(stack.topic(), settings.seed());
    tell.step(
        "(c) %s copies produced: each record of the topic twice more, shuffled", count(copies));
    long read = catchUp(From.RECORDED);
    proof.add(
        compare("(c) every event in the topic twice more, shuffled", read, before, List.of()));
  }

  private void killedInTheMiddle() throws SQLException {
    long before = RecordedOffsets.total(recorded().nextOffsets());
    tell.step("(d) The job runs while the workload goes on");
    NavigableMap<Integer, Long> ends;
    long readUntilKill;
    try (BackgroundWork work = BackgroundWork.start(workload, settings.changesAroundKill());
        Job job = jobs.start(stack.configFile(), From.RECORDED)) {
      tell.step("    Flink's web UI: %s", job.webUi());
      ends = awaitCommitBehindTheEnd(job, work, before);
      job.kill();
      readUntilKill = job.recordsRead();
      work.finish();
    }
    RecordedOffsets atKill = recorded();
    long end = RecordedOffsets.total(ends);
    tell.step(
        "    killed when %s of %s records were applied (next offsets %s of %s)",
        count(atKill.total()), count(end), atKill.nextOffsets(), ends);
    List<String> problems = new ArrayList<>();
    if (atKill.total() >= end) {
      problems.add("the job had caught up when it was killed, so nothing was interrupted");
    }
    relay.awaitShipped(SHIPPING);
    tell.step("    A new job starts without state");
    long read = catchUp(From.RECORDED);
    proof.add(
        compare(
            "(d) job killed in the middle, restarted without state",
            readUntilKill + read,
            null,
            problems));
  }

  private void lateUpdate() {
    OrderRows before = lake.rows();
    LateUpdate late =
        LateUpdate.in(TopicLog.read(stack.kafka(), stack.topic()), before.byKey().keySet());
    RecordMetadata copy = new TopicCopies(stack.kafka()).once(late.event());
    tell.step(
        "(e) Key %d is deleted. Its old update at offset %s of partition %d comes again, at"
            + " offset %s",
        late.key(), count(late.event().offset()), copy.partition(), count(copy.offset()));
    long read = catchUp(From.RECORDED);
    List<String> problems = new ArrayList<>();
    if (!recorded().includes(copy.partition(), copy.offset())) {
      problems.add("the late update was not read: the record ends before it");
    }
    proof.add(compare("(e) a late old update for a deleted key", read, before, problems));
  }

  /** Runs a job to the end of the topic and returns how many records that took. */
  private long catchUp(From from) {
    NavigableMap<Integer, Long> begin =
        from == From.EARLIEST
            ? new TreeMap<>()
            : lake.recorded().map(RecordedOffsets::nextOffsets).orElseGet(TreeMap::new);
    NavigableMap<Integer, Long> ends = stack.kafka().endOffsets(stack.topic());
    long read;
    try (Job job = jobs.startUntilCaughtUp(stack.configFile(), from)) {
      tell.step("    Flink's web UI: %s", job.webUi());
      job.await();
      read = job.recordsRead();
    }
    RecordedOffsets recorded = recorded();
    ends.forEach(
        (partition, end) -> {
          if (!recorded.includes(partition, end - 1)) {
            throw new IllegalStateException(
                "The job has ended, but the table's record ends before the topic: next offsets "
                    + recorded.nextOffsets()
                    + " of "
                    + ends);
          }
        });
    long expected = recorded.total() - RecordedOffsets.total(begin);
    if (read < expected) {
      throw new IllegalStateException(
          "The job was to read %d records and has read %d".formatted(expected, read));
    }
    tell.step("    caught up: %s records read", count(read));
    return read;
  }

  private NavigableMap<Integer, Long> awaitCommitBehindTheEnd(
      Job job, BackgroundWork work, long before) {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (System.nanoTime() < deadline) {
      long applied = lake.recorded().map(RecordedOffsets::total).orElse(0L);
      NavigableMap<Integer, Long> ends = stack.kafka().endOffsets(stack.topic());
      if (applied > before && RecordedOffsets.total(ends) > applied) {
        return ends;
      }
      if (!job.isRunning()) {
        job.await();
        throw new IllegalStateException("The job has ended, though nobody told it to");
      }
      work.failIfFailed();
      pause();
    }
    throw new IllegalStateException("The job has committed nothing in 60 s");
  }

  private ProofLine compare(
      String title, long eventsRead, @Nullable OrderRows before, List<String> problems) {
    OrderRows found = lake.rows();
    List<String> all = new ArrayList<>(lake.typeProblems());
    all.addAll(problems);
    ProofLine line =
        new ProofLine(
            title,
            eventsRead,
            found.size(),
            Differences.between(OrderRows.inPostgres(stack.postgres()), found),
            before == null ? null : Differences.between(before, found),
            all);
    tell.step(
        "    compared every column of %s rows%s: %s",
        count(found.size()),
        before == null ? " with PostgreSQL" : " with PostgreSQL and with the table before",
        line.holds() ? "equal" : "NOT EQUAL");
    return line;
  }

  private RecordedOffsets recorded() {
    return lake.recorded()
        .orElseThrow(() -> new IllegalStateException("The table has no commit record"));
  }

  private static void pause() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while the job was running", e);
    }
  }
}
