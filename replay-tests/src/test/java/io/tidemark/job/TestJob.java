package io.tidemark.job;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.executiongraph.ErrorInfo;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.scheduler.stopwithsavepoint.StopWithSavepointStoppingException;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.FlinkRuntimeException;

/** A job on a {@link TestCluster}. Closing it cancels it. */
public final class TestJob implements AutoCloseable {

  private static final Duration DEADLINE = Duration.ofMinutes(2);

  private final MiniCluster cluster;
  private final JobID id;

  TestJob(MiniCluster cluster, JobID id) {
    this.cluster = cluster;
    this.id = id;
  }

  public JobID id() {
    return id;
  }

  /** Whether it is not over yet; it may be restarting. */
  public boolean isAlive() {
    try {
      return !cluster.getJobStatus(id).get().isGloballyTerminalState();
    } catch (InterruptedException | ExecutionException e) {
      throw new FlinkRuntimeException(e);
    }
  }

  /** Waits until it has read all that it was to read. */
  public void awaitEnd() throws Exception {
    cluster
        .requestJobResult(id)
        .get()
        .toJobExecutionResult(Thread.currentThread().getContextClassLoader());
  }

  /** Waits until all its tasks run. */
  public TestJob awaitRunning() throws Exception {
    await("all tasks run", this::allTasksRun);
    return this;
  }

  private boolean allTasksRun() throws Exception {
    AccessExecutionGraph graph = graph();
    if (graph.getState().isGloballyTerminalState()) {
      throw new AssertionError("The job is " + graph.getState() + ": " + why(graph));
    }
    boolean running = graph.getState() == JobStatus.RUNNING;
    for (AccessExecutionVertex vertex : graph.getAllExecutionVertices()) {
      running &= vertex.getExecutionState() == ExecutionState.RUNNING;
    }
    return running;
  }

  /** How many subtasks the gate has now; 0 while there are none. */
  public int gates() throws Exception {
    int gates = 0;
    for (AccessExecutionVertex vertex : graph().getAllExecutionVertices()) {
      gates += vertex.getTaskNameWithSubtaskIndex().contains("gate") ? 1 : 0;
    }
    return gates;
  }

  /** How many checkpoints are complete. */
  public long checkpoints() throws Exception {
    return graph().getCheckpointStatsSnapshot().getCounts().getNumberOfCompletedCheckpoints();
  }

  /** Waits until some more are. */
  public void awaitMoreCheckpoints(int more) throws Exception {
    long before = checkpoints();
    await(
        more + " more checkpoints",
        () -> {
          if (!isAlive()) {
            throw new AssertionError("The job is over: " + why(graph()));
          }
          return checkpoints() >= before + more;
        });
  }

  /** How many checkpoints have failed. */
  public long failedCheckpoints() throws Exception {
    return graph().getCheckpointStatsSnapshot().getCounts().getNumberOfFailedCheckpoints();
  }

  /** How often its tasks were started; once if it never failed. */
  public int attempts() throws Exception {
    int last = 0;
    for (AccessExecutionVertex vertex : graph().getAllExecutionVertices()) {
      last = Math.max(last, vertex.getCurrentExecutionAttempt().getAttemptNumber());
    }
    return last + 1;
  }

  private static String why(AccessExecutionGraph graph) {
    ErrorInfo failure = graph.getFailureInfo();
    return failure == null ? "no failure" : failure.getExceptionAsString();
  }

  private AccessExecutionGraph graph() throws Exception {
    return cluster.getExecutionGraph(id).get();
  }

  /** Waits until it has failed for good, and returns why: all messages of all causes. */
  public String awaitFailure() throws Exception {
    await("the job fails", () -> !isAlive());
    ErrorInfo failure = graph().getFailureInfo();
    if (graph().getState() != JobStatus.FAILED || failure == null) {
      throw new AssertionError("The job did not fail: it is " + graph().getState());
    }
    return failure.getExceptionAsString();
  }

  /** Takes a checkpoint, incremental if the backend takes such, and returns where it lies. */
  public String checkpoint() throws Exception {
    return again(() -> cluster.triggerCheckpoint(id).get());
  }

  /**
   * The same, once.
   *
   * @throws ExecutionException if it did not succeed
   */
  public String tryCheckpoint() throws Exception {
    return cluster.triggerCheckpoint(id).get();
  }

  /** Takes a savepoint; the job goes on. */
  public String savepoint(Path directory) throws Exception {
    String where = directory.toUri().toString();
    return again(
        () -> cluster.triggerSavepoint(id, where, false, SavepointFormatType.CANONICAL).get());
  }

  /**
   * Stops with a savepoint. A task may fail when the savepoint is complete already: then the job is
   * over too, and what it has not committed is in the savepoint's state.
   *
   * @param drain whether as if the input had ended
   */
  public String stop(Path directory, boolean drain) throws Exception {
    String where = directory.toUri().toString();
    return again(
        () -> {
          try {
            return cluster.stopWithSavepoint(id, where, drain, SavepointFormatType.CANONICAL).get();
          } catch (ExecutionException e) {
            return ExceptionUtils.findThrowable(e, StopWithSavepointStoppingException.class)
                .map(StopWithSavepointStoppingException::getSavepointPath)
                .orElseThrow(() -> e);
          }
        });
  }

  /** While tasks fail, restart or overrun a checkpoint, a savepoint may be refused. */
  private String again(Callable<String> savepoint) throws Exception {
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    for (; ; ) {
      awaitRunning();
      try {
        return savepoint.call();
      } catch (ExecutionException e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
      }
    }
  }

  /** Waits until it is over; returns only if it ended well. */
  public void await() throws Exception {
    cluster
        .requestJobResult(id)
        .get()
        .toJobExecutionResult(Thread.currentThread().getContextClassLoader());
  }

  /** Cancels it, wherever it is, and waits until it is gone. */
  @Override
  public void close() {
    try {
      if (isAlive()) {
        cluster.cancelJob(id).get();
      }
      cluster.requestJobResult(id).get();
    } catch (InterruptedException | ExecutionException e) {
      throw new FlinkRuntimeException(e);
    }
  }

  /** Waits until something holds, with a deadline so generous that it proves nothing. */
  public static void await(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("Not within " + DEADLINE + ": " + what);
      }
      Thread.sleep(20);
    }
  }
}
