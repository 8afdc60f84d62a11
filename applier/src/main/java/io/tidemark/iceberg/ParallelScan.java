package io.tidemark.iceberg;

import io.tidemark.failure.RefusedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.iceberg.CombinedScanTask;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.io.CloseableIterable;

/** Reads some columns of a table's live rows, at one snapshot, with a thread for each processor. */
final class ParallelScan {
  private final Table table;
  private final long snapshot;
  private final Schema columns;

  ParallelScan(Table table, long snapshot, Schema columns) {
    this.table = table;
    this.snapshot = snapshot;
    this.columns = columns;
  }

  /**
   * Reads every row once, in no order.
   *
   * @param takers makes what takes the rows of one part of a file, in one thread; a row is in
   *     Iceberg's internal representation, has the scan's columns in front, and is used again for
   *     the next
   * @throws IOException or what else the store throws, if a file could not be read for now
   * @throws RefusedException if one is gone or damaged
   * @throws InterruptedException if the calling thread was interrupted
   */
  void read(Supplier<Consumer<StructLike>> takers) throws IOException, InterruptedException {
    List<FileScanTask> parts = parts();
    if (parts.isEmpty()) {
      return;
    }
    PartRows rows = new PartRows(table, snapshot, columns, true);
    ExecutorService readers =
        Executors.newFixedThreadPool(
            Math.min(parts.size(), Runtime.getRuntime().availableProcessors()));
    try {
      List<Future<?>> running = new ArrayList<>();
      for (FileScanTask part : parts) {
        running.add(
            readers.submit(
                () -> {
                  Consumer<StructLike> taker = takers.get();
                  InternalRecordWrapper internal = new InternalRecordWrapper(columns.asStruct());
                  rows.read(part, row -> taker.accept(internal.wrap(row)));
                  return null;
                }));
      }
      for (Future<?> part : running) {
        await(part);
      }
    } finally {
      // Whoever takes the rows may go once this has returned, so no reader may outlive it.
      readers.shutdownNow();
      awaitEnd(readers);
    }
  }

  private List<FileScanTask> parts() throws IOException {
    TableFiles.requireLists(table, snapshot);
    List<FileScanTask> parts = new ArrayList<>();
    try (CloseableIterable<CombinedScanTask> tasks =
        table.newScan().useSnapshot(snapshot).project(columns).planTasks()) {
      tasks.forEach(task -> parts.addAll(task.files()));
    } catch (IOException | RuntimeException e) {
      RefusedException refused = TableFiles.listRefusal(table, snapshot);
      if (refused != null) {
        throw refused;
      }
      throw e;
    }
    return parts;
  }

  private static void await(Future<?> part) throws IOException, InterruptedException {
    try {
      part.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof IOException failure) {
        throw failure;
      }
      if (cause instanceof UncheckedIOException failure) {
        throw new IOException(failure.getMessage(), failure);
      }
      if (cause instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException("A file could not be read", cause);
    }
  }

  private static void awaitEnd(ExecutorService readers) {
    boolean interrupted = false;
    while (!readers.isTerminated()) {
      try {
        var unused = readers.awaitTermination(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
