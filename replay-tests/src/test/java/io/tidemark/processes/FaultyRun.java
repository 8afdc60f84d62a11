package io.tidemark.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.oracle.RawEvent;
import io.tidemark.processes.CatalogProxy.Fault;
import java.io.IOException;
import java.util.List;
import java.util.Random;

/**
 * A table that is kept while faults happen. The log is produced a piece at a time: each fault gets
 * a piece before it and a piece while it lasts, and what it must have done is waited for.
 */
final class FaultyRun {
  private static final long FULL_DISK_BYTES = 3_000;

  private final ProcessStack stack;
  private final RunningJob job;
  private final Random random;
  private final Pieces log;

  /** The log, a piece at a time. */
  static final class Pieces {
    private final ProcessStack stack;
    private final String topic;
    private final List<RawEvent> events;
    private final int count;
    private int produced;

    Pieces(ProcessStack stack, String topic, List<RawEvent> events, int count) {
      this.stack = stack;
      this.topic = topic;
      this.events = events;
      this.count = count;
    }

    void next() {
      int from = events.size() * produced / count;
      produced = Math.min(count, produced + 1);
      stack.produce(topic, events.subList(from, events.size() * produced / count));
    }

    void rest() {
      while (produced < count) {
        next();
      }
    }
  }

  FaultyRun(ProcessStack stack, RunningJob job, Random random, Pieces log) {
    this.stack = stack;
    this.job = job;
    this.random = random;
    this.log = log;
  }

  /** Lets a fault happen and end. */
  void meet(FaultKind kind) throws Exception {
    int before = job.commits();
    log.next();
    if (random.nextBoolean()) {
      job.awaitCommit(before); // else it is in the middle of what came
    }
    switch (kind) {
      case KILL_TASK_MANAGER -> killTaskManager();
      case KILL_JOB_MANAGER -> killJobManager(false);
      case KILL_JOB_MANAGER_AND_RESTORE -> killJobManager(true);
      case KILL_BROKER -> {
        stack.broker().process().kill();
        stack.broker().restart();
        log.next();
      }
      case KILL_CATALOG -> {
        stack.catalogServer().process().kill();
        log.next();
        stack.catalogServer().restart();
      }
      case PAUSE_TASK_MANAGER -> pauseTaskManager();
      case PAUSE_JOB_MANAGER -> pauseJobManager();
      case ZOMBIE -> zombie();
      case TWO_JOBS -> twoJobs();
      case LATE_COMMIT -> lateCommit();
      case CATALOG_REFUSED_503 -> catalog(Fault.REFUSED_503);
      case CATALOG_COMMITTED_503 -> catalog(Fault.COMMITTED_503);
      case CATALOG_ANSWER_LOST -> catalog(Fault.ANSWER_LOST);
      case CATALOG_REQUEST_LOST -> catalog(Fault.REQUEST_LOST);
      case CATALOG_HANGS -> catalogHangs();
      case JOB_MANAGER_CUT_OFF -> cutOff();
      case BROKER_RESET -> broker(TcpProxy.Mode.RESET);
      case BROKER_BLACK_HOLE -> broker(TcpProxy.Mode.BLACK_HOLE);
      case BROKER_SLOW -> {
        stack.brokerProxy().mode(TcpProxy.Mode.SLOW);
        before = job.commits();
        log.next();
        job.awaitCommit(before);
        stack.brokerProxy().mode(TcpProxy.Mode.PASS);
      }
      case DISK_FULL -> diskFull();
    }
    job.ensureRunning();
  }

  private void killTaskManager() {
    job.cluster().replaceTaskManager(random.nextInt(job.cluster().taskManagers().size()));
    log.next();
    job.cluster().awaitReady();
  }

  private void killJobManager(boolean restore) {
    if (restore) {
      job.awaitCheckpoint();
    }
    job.cluster().replaceJobManager();
    log.next();
    job.cluster().awaitReady();
    job.start(restore ? job.retainedCheckpoint() : null);
  }

  private void pauseTaskManager() {
    job.cluster().awaitReady(); // so that it is one of those that are counted
    ChildJvm paused =
        job.cluster().taskManagers().get(random.nextInt(job.cluster().taskManagers().size()));
    int alive = job.cluster().rest().taskManagers();
    paused.stop();
    log.next();
    Await.until(
        "the stopped task manager is given up",
        () -> job.cluster().rest().taskManagers() < alive,
        job::state);
    paused.resume();
    job.cluster().awaitReady();
  }

  private void pauseJobManager() {
    job.cluster().awaitReady(); // one that never connected loses no connection
    ChildJvm first = job.cluster().taskManagers().get(0);
    String lost = "Close ResourceManager connection"; // logged by every task manager, busy or not
    int before = first.printed().split(lost, -1).length;
    job.cluster().jobManager().stop();
    log.next();
    Await.until(
        "the stopped job manager is given up",
        () -> first.printed().split(lost, -1).length > before,
        first::tail);
    job.cluster().jobManager().resume();
    job.cluster().awaitReady();
  }

  private void zombie() {
    FlinkCluster old = job.cluster();
    String zombie = job.id();
    List<ChildJvm> stopped = old.processes();
    stopped.forEach(ChildJvm::stop);
    job.moveToStandby();
    job.start(null);
    int before = job.commits();
    log.next();
    job.awaitCommit(before);
    stopped.forEach(ChildJvm::resume);
    log.next();
    job.awaitFenced(old, zombie);
  }

  private void twoJobs() {
    String savepoint = job.stopWithSavepoint();
    String first = job.cluster().run(job.config(), savepoint);
    String second = job.cluster().run(job.config(), savepoint);
    log.next();
    Await.until(
        "one of two jobs from " + savepoint + " stops",
        () ->
            job.cluster().rest().status(first).equals("FAILED")
                || job.cluster().rest().status(second).equals("FAILED"),
        job::state);
    boolean firstStopped = job.cluster().rest().status(first).equals("FAILED");
    job.follow(firstStopped ? second : first);
    job.awaitFenced(job.cluster(), firstStopped ? first : second);
  }

  private void lateCommit() throws IOException, InterruptedException {
    CatalogProxy.Held held = stack.catalogProxy().holdNext();
    log.next();
    Await.until("a commit is on its way", held::hasArrived, job::state);
    for (int i = job.cluster().taskManagers().size(); i > 0; i--) {
      job.cluster().replaceTaskManager(0);
    }
    int before = job.commits();
    log.next();
    job.awaitCommit(before);
    long snapshot = job.snapshot();
    assertThat(stack.catalogProxy().deliver(held)).as("status of a late commit").isEqualTo(409);
    assertThat(job.snapshot()).isGreaterThanOrEqualTo(snapshot);
  }

  /** One commit meets it while this waits, a second one perhaps later. */
  private void catalog(Fault fault) {
    int before = stack.catalogProxy().met();
    stack.catalogProxy().fail(fault, 1 + random.nextInt(2));
    log.next();
    Await.until("a commit meets " + fault, () -> stack.catalogProxy().met() > before, job::state);
  }

  private void catalogHangs() {
    CatalogProxy.Hanging hanging = stack.catalogProxy().hang();
    log.next();
    Await.until("a request is given up, and another made", () -> hanging.met() > 1, job::state);
    stack.catalogProxy().answerAgain();
  }

  private void cutOff() {
    job.cluster().jobManagerProxy().mode(TcpProxy.Mode.BLACK_HOLE);
    log.next();
    Await.until(
        "the task managers are given up",
        () -> job.cluster().rest().taskManagers() == 0,
        job::state);
    job.cluster().jobManagerProxy().mode(TcpProxy.Mode.PASS);
    job.cluster().awaitReady();
  }

  private void broker(TcpProxy.Mode mode) throws InterruptedException {
    stack.brokerProxy().mode(mode);
    log.next();
    Thread.sleep(1000 + random.nextInt(2500)); // how long a network is cut is a time
    stack.brokerProxy().mode(TcpProxy.Mode.PASS);
  }

  private void diskFull() {
    int before = job.troubles();
    job.cluster().taskManagers().forEach(process -> process.limitFiles(FULL_DISK_BYTES));
    log.next();
    Await.until("writes fail", () -> job.troubles() > before, job::state);
    // A library that was to be unpacked just then cannot be loaded any more in its process, and one
    // that cannot write may have ended by itself: all are replaced, none is let go on.
    for (int i = job.cluster().taskManagers().size(); i > 0; i--) {
      job.cluster().replaceTaskManager(0);
    }
    job.cluster().awaitReady();
  }
}
