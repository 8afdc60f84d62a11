package io.tidemark.flink;

import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import io.tidemark.commit.LiveRows;
import io.tidemark.merge.Seed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.jspecify.annotations.Nullable;

/**
 * One reading of a table's marks for all subtasks of an operator that run in this process.
 *
 * <p>The first subtask that asks reads them for all and spools them to local disk by subtask; each
 * takes its own part once. The seed is pinned to snapshots, so it does not matter in which attempt
 * a part was spooled: a part that was taken already only means another reading. The spool is gone
 * when the last of the subtasks is closed. Safe for use by several threads.
 */
final class SharedSeed implements AutoCloseable {
  private static final Map<Owner, SharedSeed> OPEN = new HashMap<>();

  private final Owner owner;
  private final ReentrantLock lock = new ReentrantLock();
  private int users;
  private @Nullable MarkSpool spool;

  private record Owner(JobID job, OperatorID operator) {}

  private SharedSeed(Owner owner) {
    this.owner = owner;
  }

  /** The one that the subtasks of this operator share; to be closed by each. */
  static SharedSeed of(AbstractStreamOperator<?> operator) {
    Owner owner =
        new Owner(operator.getRuntimeContext().getJobInfo().getJobId(), operator.getOperatorID());
    synchronized (OPEN) {
      SharedSeed shared = OPEN.computeIfAbsent(owner, SharedSeed::new);
      shared.users++;
      return shared;
    }
  }

  /**
   * Hands over the marks of one subtask's keys, in one thread.
   *
   * @param directory on local disk, for the spool
   * @return all rows of the table, not only the subtask's
   * @throws InterruptedException if the subtask was cancelled meanwhile
   */
  LiveRows read(Seed seed, TaskInfo task, Path directory, BiConsumer<PrimaryKey, Mark> marks)
      throws IOException, InterruptedException {
    MarkSpool.Part part = part(seed, task, directory);
    try (part) {
      part.forEach(marks);
      return part.rows();
    }
  }

  private MarkSpool.Part part(Seed seed, TaskInfo task, Path directory)
      throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      MarkSpool spooled = spool;
      MarkSpool.Part part = spooled == null ? null : spooled.take(task.getIndexOfThisSubtask());
      if (part == null) {
        forget();
        spooled =
            MarkSpool.fill(
                seed,
                task.getMaxNumberOfParallelSubtasks(),
                task.getNumberOfParallelSubtasks(),
                directory);
        spool = spooled;
        part = spooled.take(task.getIndexOfThisSubtask());
      }
      if (part == null) {
        throw new IllegalStateException(
            "Subtask " + task.getIndexOfThisSubtask() + " has no part of what was spooled");
      }
      return part;
    } finally {
      lock.unlock();
    }
  }

  private void forget() {
    MarkSpool old = spool;
    if (old != null) {
      spool = null;
      old.close();
    }
  }

  @Override
  public void close() {
    synchronized (OPEN) {
      users--;
      if (users > 0) {
        return;
      }
      OPEN.remove(owner);
    }
    forget(); // nobody else has it any more
  }
}
