package io.tidemark.job;

import io.tidemark.config.Settings;
import io.tidemark.fault.Parts;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.jspecify.annotations.Nullable;

/**
 * Flink in this process, for many jobs: the real ones, planned and put together as {@link LocalJob}
 * does, with parts exchanged. What a job's settings say of savepoints, parallelism, backend and
 * checkpoints holds for that job. Its task managers can be killed.
 */
public final class TestCluster implements AutoCloseable {

  private final MiniCluster cluster;
  private final Path checkpoints;
  private final Deque<Integer> taskManagers = new ArrayDeque<>();
  private int started;

  private TestCluster(MiniCluster cluster, Path checkpoints, int taskManagers) {
    this.cluster = cluster;
    this.checkpoints = checkpoints;
    for (int i = 0; i < taskManagers; i++) {
      this.taskManagers.add(started++);
    }
  }

  /**
   * Starts.
   *
   * @param slots of each task manager
   * @param checkpoints where jobs keep theirs, unless their settings say where
   * @param options of Flink's, for the cluster
   */
  public static TestCluster start(
      int taskManagers, int slots, Path checkpoints, Map<String, String> options) throws Exception {
    Configuration configuration = new Configuration();
    configuration.set(RestOptions.BIND_PORT, "0");
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(32));
    configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(64));
    configuration.addAll(Configuration.fromMap(options));
    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(taskManagers)
                .setNumSlotsPerTaskManager(slots)
                .build());
    cluster.start();
    return new TestCluster(cluster, checkpoints, taskManagers);
  }

  /** Plans a job from what Kafka and the table say, and starts it. */
  public TestJob submit(Settings settings, RunOptions options, Parts parts) throws Exception {
    return submit(settings, options, parts, null);
  }

  /**
   * The same.
   *
   * @param id the job's; null for a random one
   */
  public TestJob submit(Settings settings, RunOptions options, Parts parts, @Nullable JobID id)
      throws Exception {
    Configuration configuration = JobConfiguration.of(settings.flink());
    boolean restores = configuration.get(StateRecoveryOptions.SAVEPOINT_PATH) != null;
    JobPlan plan = with(parts, Planner.plan(settings, options, restores));
    if (!configuration.contains(CheckpointingOptions.CHECKPOINTS_DIRECTORY)) {
      configuration.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints.toUri().toString());
    }
    try (StreamExecutionEnvironment env = new StreamExecutionEnvironment(configuration)) {
      Pipeline.build(env, plan);
      StreamGraph graph = env.getStreamGraph();
      graph.setJobName(settings.name());
      if (id != null) {
        graph.setJobId(id);
      }
      return new TestJob(cluster, cluster.submitJob(graph).get().getJobID());
    }
  }

  /** Kills the task manager that has run longest, with its tasks. */
  public void killTaskManager() throws Exception {
    cluster.terminateTaskManager(taskManagers.remove()).get();
  }

  /** Starts another task manager. */
  public void startTaskManager() throws Exception {
    cluster.startTaskManager();
    taskManagers.add(started++);
  }

  @Override
  public void close() throws Exception {
    cluster.close();
  }

  private static JobPlan with(Parts parts, JobPlan plan) {
    return new JobPlan(
        plan.name(),
        new JobPlan.Source(
            plan.source().topic(),
            parts.consumer(plan.source().consumer()),
            plan.source().from(),
            parts.until(plan.source().until())),
        new JobPlan.Decoding(
            parts.decoders(plan.decoding().decoders()),
            plan.decoding().policy(),
            plan.decoding().byOffset(),
            plan.decoding().aside()),
        new JobPlan.Table(
            parts.writers(plan.table().writers()),
            parts.seed(plan.table().seed()),
            parts.ledgers(plan.table().ledgers()),
            plan.table().keep(),
            plan.table().gateBudgetBytes(),
            plan.table().recordInterval(),
            plan.table().memory()),
        plan.start(),
        plan.startsFrom());
  }
}
