package io.tidemark.job;

import io.tidemark.config.ConfigException;
import io.tidemark.config.Settings;
import io.tidemark.config.StartFrom;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;

/**
 * A job on the cluster that this program was submitted to.
 *
 * <p>The plan is made here, from the table's record, and holds for a start without state. Where
 * Flink restores state, at a start from a savepoint as after a failure, the state wins: the readers
 * go on at its offsets, the gates keep its marks, the committer its progress; nothing of the plan
 * is mixed into it. The committer then compares the table with the state before anything else.
 */
public final class ClusterJob {
  private ClusterJob() {}

  /**
   * Plans a start from what Kafka and the table say, and submits it. Returns when the job is
   * submitted or, where the program was submitted attached, when it is over.
   *
   * @throws ConfigException if the settings, or the cluster's own options, do not fit
   * @throws io.tidemark.failure.RefusedException if starting could lose or double something
   * @throws io.tidemark.commit.UnavailableException if the broker or the catalog does not answer
   * @throws JobFailedException if the cluster does not take the job, or the job failed
   */
  public static void submit(Settings settings, RunOptions options) {
    Configuration configuration = JobConfiguration.of(cluster(), settings.flink());
    refuseWithState(configuration, options);
    boolean restores = configuration.get(StateRecoveryOptions.SAVEPOINT_PATH) != null;
    JobPlan plan = Planner.plan(settings, options, restores);
    try (StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration)) {
      Pipeline.build(env, plan);
      StreamGraph graph = env.getStreamGraph();
      graph.setJobName(settings.name());
      env.execute(graph);
    } catch (Exception e) {
      throw new JobFailedException(RootCause.of(e));
    }
  }

  /** What {@code flink run}, or the job manager that was given the jar, hands to its program. */
  private static Configuration cluster() {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    return Configuration.fromMap(env.getConfiguration().toMap());
  }

  /**
   * State says where to go on and, for a bounded run, where to end. A start that says otherwise is
   * one without state.
   */
  private static void refuseWithState(Configuration configuration, RunOptions options) {
    String savepoint = configuration.get(StateRecoveryOptions.SAVEPOINT_PATH);
    if (savepoint == null) {
      return;
    }
    String option = null;
    if (!(options.from() instanceof StartFrom.Recorded)) {
      option = "--from";
    } else if (options.untilCaughtUp()) {
      option = "--until";
    } else if (options.acceptGaps()) {
      option = "--accept-gap";
    } else if (options.acceptHorizon()) {
      option = "--accept-horizon";
    }
    if (option != null) {
      throw ConfigException.of(
          StateRecoveryOptions.SAVEPOINT_PATH.key(),
          "state is to be restored from "
              + savepoint
              + ", and "
              + option
              + " is for a start without state: leave one of them out. A start without state goes"
              + " on from the table's record and loses nothing");
    }
  }
}
