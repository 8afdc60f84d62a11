package io.tidemark.replay;

import io.tidemark.config.StartPosition;
import io.tidemark.fault.BothParts;
import io.tidemark.fault.Parts;
import io.tidemark.fault.TaskFaults;
import io.tidemark.job.RunOptions;
import io.tidemark.job.TestCluster;
import io.tidemark.job.TestJob;
import io.tidemark.oracle.FileReport;
import io.tidemark.oracle.Offsets;
import io.tidemark.oracle.Oracle;
import io.tidemark.oracle.OracleOptions;
import io.tidemark.oracle.RawEvent;
import io.tidemark.oracle.RememberedTable;
import io.tidemark.oracle.TableCheck;
import io.tidemark.oracle.TableReport;
import io.tidemark.processes.CatalogProxy;
import io.tidemark.processes.CatalogServer;
import io.tidemark.script.EventScript;
import io.tidemark.script.ScriptOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One run of the real job on Flink and Kafka, drawn from a seed: a log in parts, and between them
 * savepoints and restores at another parallelism and with another backend, stops, kills without
 * state, lost task managers, aborted transactions and replays; tasks fail, checkpoints expire and a
 * REST catalog's commits are refused or lost all the while. Then faults stop, the table must catch
 * up, and a last replay must change nothing.
 */
final class ClusterRun implements AutoCloseable {

  private static final int PARTS = 6;
  private static final Duration DEADLINE = Duration.ofMinutes(3);

  /**
   * The most files that a checkpoint which was not committed leaves: four gates, each with rows and
   * deletes in four regions, and tombstones. Each attempt of the tasks can have such a one, and
   * each checkpoint that failed is one, of which a busy machine has many. Most leave a few files or
   * none: that is too loose for a leak in every commit. The part without faults has no such slack.
   */
  private static final int FILES_PER_CHECKPOINT = 36;

  private final TestCluster cluster;
  private final @Nullable CatalogProxy catalog;
  private final Random random;
  private final Path directory;
  private final ReplayJob job;
  private final TaskFaults faults;
  private final Parts planted;
  private final List<RawEvent> events;
  private final Map<String, Integer> troubles = new TreeMap<>();
  private final List<String> story = new ArrayList<>();
  private @Nullable String savepoint;
  private TestJob running;
  private int lost;

  /**
   * What a run was.
   *
   * @param keys that the log has
   * @param troubles by kind how often each happened
   */
  record Result(long keys, TableReport table, FileReport files, Map<String, Integer> troubles) {}

  /**
   * Starts a run.
   *
   * @param rest the catalog that the job uses, by a proxy whose commits fail; null for a Hadoop
   *     catalog in the directory
   */
  ClusterRun(TestCluster cluster, long seed, Path directory, @Nullable CatalogServer rest)
      throws Exception {
    this(cluster, seed, directory, rest, "cluster", Parts.REAL);
  }

  /**
   * Starts a run of a job with a bug.
   *
   * @param name of the run, and with the seed its topic's
   * @param planted the bug
   */
  ClusterRun(
      TestCluster cluster,
      long seed,
      Path directory,
      @Nullable CatalogServer rest,
      String name,
      Parts planted)
      throws Exception {
    this.planted = planted;
    this.cluster = cluster;
    this.catalog = rest == null ? null : CatalogProxy.start(rest.port());
    this.random = new Random(seed);
    this.directory = directory;
    String topic = name + "-" + seed;
    EventScript script =
        EventScript.of(
            ScriptOptions.of(seed)
                .topic(topic)
                .partitions(1 + random.nextInt(3))
                .size(30, 150)
                .resnapshots(random.nextInt(2))
                .ties(0.1)
                .repeated(2, 20, random.nextInt(3) == 0 ? 1 : 0));
    events = script.events();
    story.add(script.toString());
    ReplayKafka.createTopic(topic, 3);
    List<String> partitions = List.of("[]", "[region]", "['bucket(2, id)']");
    String partition = "partition: " + partitions.get(random.nextInt(partitions.size()));
    story.add(partition);
    ReplayJob onHadoop = new ReplayJob(topic, directory, OracleOptions.DEFAULT, List.of(partition));
    job =
        (catalog == null ? onHadoop : onHadoop.in(Map.of("type", "rest", "uri", catalog.uri())))
            .with(
                Map.of(
                    "execution.checkpointing.interval", "100ms",
                    "execution.checkpointing.timeout", "400ms",
                    "execution.checkpointing.tolerable-failed-checkpoints", "1000"));
    faults = new TaskFaults(topic, random.nextLong(), 4 + random.nextInt(4), 600);
    send(0);
    running = start(RunOptions.streaming(), null);
  }

  Result run() throws Exception {
    for (int part = 1; part < PARTS - 1; part++) {
      if (random.nextInt(3) > 0) {
        running.awaitMoreCheckpoints(1 + random.nextInt(2));
      }
      if (random.nextInt(3) == 0) {
        count("aborted transaction");
        ReplayKafka.produceAndAbort(job.topic(), events.subList(0, 10));
      }
      send(part);
      if (catalog != null && random.nextBoolean()) {
        CatalogProxy.Fault fault = CatalogProxy.Fault.values()[random.nextInt(4)];
        story.add("commits meet " + fault);
        catalog.fail(fault, 1 + random.nextInt(2));
      }
      trouble();
    }
    faults.stop();
    if (catalog != null) {
      catalog.fail(CatalogProxy.Fault.REFUSED_503, 0);
      catalog
          .happened()
          .forEach((kind, times) -> troubles.merge("catalog " + kind, times, Integer::sum));
    }
    job.invariants().awaitCaughtUp(DEADLINE, running::isAlive);
    lastPartLeavesNothing();
    replayOnceMore();
    TableReport table = job.check();
    faults.happened().forEach((kind, times) -> troubles.merge(kind, times, Integer::sum));
    countLost(running);
    FileReport files = job.files().explainedBy(lost, FILES_PER_CHECKPOINT);
    return new Result(keys(), table, files, troubles);
  }

  /** I10, exactly: without faults a job leaves no file behind. */
  private void lastPartLeavesNothing() throws Exception {
    running.awaitMoreCheckpoints(
        1); // all its tasks run: none of an attempt that failed still writes
    FileReport before = job.files();
    send(PARTS - 1);
    job.invariants().awaitCaughtUp(DEADLINE, running::isAlive);
    // Not cancelled: what it was about to commit would be left.
    running.stop(directory.resolve("savepoints"), false);
    job.files().since(before).explainedBy(0, 0);
  }

  /** The whole of it again, without faults and state: nothing may change. */
  private void replayOnceMore() throws Exception {
    RememberedTable before = job.invariants().remember();
    long snapshot = job.table().currentSnapshot().snapshotId();
    Offsets offsets = TableCheck.lastOffsets(job.table());
    try (TestJob replay =
        cluster.submit(
            job.settings(), RunOptions.catchUp().from(new StartPosition.Earliest()), planted)) {
      replay.await();
    }
    before.orThrow();
    if (TableCheck.lastOffsets(job.table()).equals(offsets)
        && job.table().currentSnapshot().snapshotId() != snapshot) {
      throw new AssertionError("I8: a replay committed, and recorded nothing new");
    }
  }

  private void trouble() throws Exception {
    switch (random.nextInt(6)) {
      case 0 -> {
        count("savepoint, then restored");
        savepoint = running.savepoint(directory.resolve("savepoints"));
        running.close();
        restore();
      }
      case 1 -> {
        count("stopped with savepoint");
        savepoint = running.stop(directory.resolve("savepoints"), false);
        restore();
      }
      case 2 -> {
        count("stopped with savepoint, drained; started without state");
        running.stop(directory.resolve("savepoints"), true);
        startWithoutState();
      }
      case 3 -> {
        count("killed, started without state");
        running.close();
        startWithoutState();
      }
      case 4 -> {
        count("task manager lost");
        cluster.killTaskManager();
        cluster.startTaskManager();
      }
      default -> story.add("nothing");
    }
  }

  /** What a job that is over may not have committed. */
  private void countLost(TestJob over) throws Exception {
    lost += over.attempts() + Math.toIntExact(over.failedCheckpoints());
  }

  private void restore() throws Exception {
    countLost(running);
    running = start(RunOptions.streaming(), savepoint);
  }

  private void startWithoutState() throws Exception {
    boolean replay = random.nextBoolean();
    if (replay) {
      count("replay from the beginning");
    }
    RunOptions how = RunOptions.streaming();
    countLost(running);
    running = start(replay ? how.from(new StartPosition.Earliest()) : how, null);
  }

  private TestJob start(RunOptions how, @Nullable String from) throws Exception {
    int parallelism = 1 + random.nextInt(4);
    boolean rocks = random.nextBoolean();
    Map<String, String> flink = new HashMap<>();
    flink.put("parallelism.default", Integer.toString(parallelism));
    flink.put("state.backend.type", rocks ? "rocksdb" : "hashmap");
    flink.put("execution.checkpointing.incremental", Boolean.toString(rocks));
    story.add(flink.toString());
    ReplayJob with = job.with(flink);
    return cluster.submit(
        (from == null ? with : with.restoredFrom(from)).settings(),
        how,
        new BothParts(planted, faults));
  }

  private void send(int part) {
    int from = events.size() * part / PARTS;
    ReplayKafka.produce(job.topic(), events.subList(from, events.size() * (part + 1) / PARTS));
  }

  private long keys() {
    return new Oracle(OracleOptions.DEFAULT, job.log(), Offsets.NONE).keys();
  }

  /** What is wrong with the table as it is now; empty if nothing is. */
  String everySnapshot() {
    try {
      job.invariants().everySnapshot();
      return "";
    } catch (AssertionError e) {
      return e.getMessage();
    }
  }

  /** What it was drawn from, and what happened. */
  @Override
  public String toString() {
    return String.join("; ", story);
  }

  @Override
  public void close() {
    try {
      running.close();
    } finally {
      if (catalog != null) {
        catalog.close();
      }
    }
  }

  private void count(String trouble) {
    story.add(trouble);
    troubles.merge(trouble, 1, Integer::sum);
  }
}
