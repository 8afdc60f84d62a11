package io.tidemark.iceberg;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
import org.apache.iceberg.data.DeleteLoader;
import org.apache.iceberg.data.GenericDeleteFilter;
import org.apache.iceberg.data.IdentityPartitionConverters;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.formats.FormatModelRegistry;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.PartitionUtil;

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
   * @throws IOException if a file could not be read
   * @throws InterruptedException if the calling thread was interrupted
   */
  void read(Supplier<Consumer<StructLike>> takers) throws IOException, InterruptedException {
    List<FileScanTask> parts = parts();
    if (parts.isEmpty()) {
      return;
    }
    SharedDeletes deletes = new SharedDeletes(table.io());
    ExecutorService readers =
        Executors.newFixedThreadPool(
            Math.min(parts.size(), Runtime.getRuntime().availableProcessors()));
    try {
      List<Future<?>> running = new ArrayList<>();
      for (FileScanTask part : parts) {
        running.add(
            readers.submit(
                () -> {
                  read(part, deletes, takers.get());
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
    List<FileScanTask> parts = new ArrayList<>();
    try (CloseableIterable<CombinedScanTask> tasks =
        table.newScan().useSnapshot(snapshot).project(columns).planTasks()) {
      tasks.forEach(task -> parts.addAll(task.files()));
    }
    return parts;
  }

  private void read(FileScanTask part, SharedDeletes deletes, Consumer<StructLike> taker)
      throws IOException {
    Filter filter = new Filter(part, deletes);
    InternalRecordWrapper internal = new InternalRecordWrapper(columns.asStruct());
    try (CloseableIterable<Record> rows = filter.filter(open(part, filter.requiredSchema()))) {
      for (Record row : rows) {
        if (Thread.currentThread().isInterrupted()) {
          return; // another part failed, or the caller has gone
        }
        taker.accept(internal.wrap(row));
      }
    }
  }

  private CloseableIterable<Record> open(FileScanTask part, Schema projection) {
    Map<Integer, ?> constants =
        PartitionUtil.constantsMap(part, IdentityPartitionConverters::convertConstant);
    return FormatModelRegistry.<Record, Object>readBuilder(
            part.file().format(), Record.class, table.io().newInputFile(part.file()))
        .project(projection)
        .idToConstant(constants)
        .split(part.start(), part.length())
        .reuseContainers()
        .build();
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

  /** Applies a file's deletes, which other files have too. */
  private final class Filter extends GenericDeleteFilter {
    private final SharedDeletes deletes;

    private Filter(FileScanTask part, SharedDeletes deletes) {
      super(table.io(), part, table.schema(), columns);
      this.deletes = deletes;
    }

    @Override
    protected DeleteLoader newDeleteLoader() {
      return deletes;
    }
  }
}
