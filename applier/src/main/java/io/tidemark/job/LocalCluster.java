package io.tidemark.job;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.client.JobExecutionException;
import org.apache.flink.runtime.clusterframework.ApplicationStatus;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.ErrorInfo;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.util.FlinkRuntimeException;
import org.apache.flink.util.OptionalFailure;
import org.apache.flink.util.SerializedValue;
import org.jspecify.annotations.Nullable;

/** Flink in this process, with its web UI, for one job. Its state lives and dies with it. */
final class LocalCluster implements AutoCloseable {
  private final MiniCluster cluster;
  private final Configuration configuration;
  private final @Nullable Path checkpoints;
  private final AtomicBoolean closed = new AtomicBoolean();
  private @Nullable JobID job;

  private LocalCluster(
      MiniCluster cluster, Configuration configuration, @Nullable Path checkpoints) {
    this.cluster = cluster;
    this.configuration = configuration;
    this.checkpoints = checkpoints;
  }

  /** Starts Flink with these settings, on a free port unless one is set. */
  static LocalCluster start(Map<String, String> settings) {
    return start(JobConfiguration.of(settings));
  }

  /** Starts Flink with this configuration, on a free port unless one is set. */
  static LocalCluster start(Configuration configuration) {
    Path checkpoints = null;
    try {
      if (!configuration.contains(CheckpointingOptions.CHECKPOINTS_DIRECTORY)) {
        checkpoints = Files.createTempDirectory("tidemark-checkpoints-");
        configuration.set(
            CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints.toUri().toString());
      }
      if (!configuration.contains(RestOptions.BIND_PORT)) {
        configuration.set(RestOptions.BIND_PORT, "0");
      }
      if (!configuration.contains(TaskManagerOptions.NETWORK_MEMORY_MIN)) {
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(32));
      }
      if (!configuration.contains(CoreOptions.CHECK_LEAKED_CLASSLOADER)) {
        // Hadoop's shutdown hook asks the job's loader after the job, and would print an exception
        // at the end of a run that went well. Here that loader leads to this process's own classes.
        configuration.set(CoreOptions.CHECK_LEAKED_CLASSLOADER, false);
      }
      int slots = configuration.get(CoreOptions.DEFAULT_PARALLELISM);
      MiniCluster cluster =
          new MiniCluster(
              new MiniClusterConfiguration.Builder()
                  .setConfiguration(configuration)
                  .setNumTaskManagers(1)
                  .setNumSlotsPerTaskManager(slots)
                  .build());
      cluster.start();
      return new LocalCluster(cluster, configuration, checkpoints);
    } catch (Exception e) {
      delete(checkpoints);
      throw new JobFailedException(e);
    }
  }

  /** Builds the job's graph with this cluster's configuration, and submits it. */
  void submit(String name, Consumer<StreamExecutionEnvironment> dataflow) {
    try (StreamExecutionEnvironment env = new StreamExecutionEnvironment(configuration)) {
      dataflow.accept(env);
      StreamGraph graph = env.getStreamGraph();
      graph.setJobName(name);
      job = cluster.submitJob(graph).get().getJobID();
    } catch (ExecutionException e) {
      throw new JobFailedException(e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new JobFailedException(e);
    } catch (Exception e) {
      throw new JobFailedException(e);
    }
  }

  String webUi() {
    try {
      URI address = cluster.getRestAddress().get();
      return address.toString();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new JobFailedException(e);
    } catch (ExecutionException e) {
      throw new JobFailedException(e);
    }
  }

  boolean isRunning() {
    try {
      return job != null
          && cluster.isRunning()
          && !cluster.getJobStatus(job).get().isGloballyTerminalState();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException e) {
      return false;
    }
  }

  /**
   * How the job is.
   *
   * @param accumulators as far as they are known
   * @param failedAt when it failed last, in ms since 1970-01-01T00:00:00Z, if Flink starts it again
   *     or has; null if it never failed, or has failed for good
   * @param failure why; null where {@code failedAt} is
   */
  record Health(
      Map<String, Object> accumulators, @Nullable Long failedAt, @Nullable Throwable failure) {}

  /** Asks Flink; null if there is no job that answers. */
  @Nullable Health health() throws InterruptedException {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    try {
      AccessExecutionGraph graph = cluster.getExecutionGraph(Objects.requireNonNull(job)).get();
      Map<String, Object> accumulators = new HashMap<>();
      for (Map.Entry<String, SerializedValue<OptionalFailure<Object>>> entry :
          graph.getAccumulatorsSerialized().entrySet()) {
        accumulators.put(entry.getKey(), entry.getValue().deserializeValue(loader).getUnchecked());
      }
      ErrorInfo failed = goesOn(graph.getState()) ? graph.getFailureInfo() : null;
      return failed == null
          ? new Health(accumulators, null, null)
          : new Health(
              accumulators,
              failed.getTimestamp(),
              RootCause.of(failed.getException().deserializeError(loader)));
    } catch (ExecutionException | IOException | ClassNotFoundException e) {
      return null;
    } catch (IllegalStateException | FlinkRuntimeException e) {
      return null; // Flink was torn down meanwhile, or an accumulator could not be sent
    }
  }

  /**
   * Whether a job that has failed is started again. Flink notes a failure and decides on it in one
   * step of its main thread, which also answers {@link #health}.
   */
  private static boolean goesOn(JobStatus status) {
    return status == JobStatus.RESTARTING || status == JobStatus.RUNNING;
  }

  /**
   * Waits until the job is over; returns only if it ended well.
   *
   * @return its accumulators
   */
  Map<String, Object> await() throws InterruptedException {
    try {
      JobResult result = cluster.requestJobResult(Objects.requireNonNull(job)).get();
      if (result.getSerializedThrowable().isPresent()) {
        Throwable failure =
            result
                .getSerializedThrowable()
                .get()
                .deserializeError(Thread.currentThread().getContextClassLoader());
        throw new JobFailedException(RootCause.of(failure));
      }
      // A canceled job carries no exception.
      if (result.getApplicationStatus() != ApplicationStatus.SUCCEEDED) {
        throw new JobFailedException(
            new CancellationException(
                "The job was canceled before its end. What is committed stays; the next run goes on"
                    + " from the table's record"));
      }
      return result
          .toJobExecutionResult(Thread.currentThread().getContextClassLoader())
          .getAllAccumulatorResults();
    } catch (JobExecutionException | IOException | ClassNotFoundException e) {
      throw new JobFailedException(e);
    } catch (ExecutionException e) {
      throw new JobFailedException(RootCause.of(e));
    }
  }

  /** Tears Flink down and deletes the state that it kept here; a second call does nothing. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      cluster.closeAsync().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new JobFailedException(RootCause.of(e));
    } finally {
      delete(checkpoints);
    }
  }

  private static void delete(@Nullable Path directory) {
    if (directory == null || !Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Could not delete " + directory, e);
    }
  }
}
