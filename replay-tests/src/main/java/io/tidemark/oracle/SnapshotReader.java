package io.tidemark.oracle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.apache.iceberg.CombinedScanTask;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.BaseDeleteLoader;
import org.apache.iceberg.data.DeleteLoader;
import org.apache.iceberg.data.GenericDeleteFilter;
import org.apache.iceberg.data.IdentityPartitionConverters;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.formats.FormatModelRegistry;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.PartitionUtil;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/**
 * Reads snapshots of one table, with each of its files read once: no file changes, and a history of
 * {@code n} snapshots names most of its files {@code n} times, and each file of deletes once more
 * for each file of rows. Which file belongs to a snapshot, and which delete takes which row,
 * Iceberg decides for each snapshot anew.
 *
 * <p>A file that goes away later is not missed: {@link LiveFiles} looks for it. Keeps all rows and
 * deletes, so only for tables that are small. Not thread-safe.
 */
final class SnapshotReader {

  private static final @Nullable ExecutorService NO_OTHER_THREADS = null;

  private final Table table;
  private final Map<Part, List<Record>> rows = new HashMap<>();
  private final Map<Types.StructType, DeleteLoader> deletes = new HashMap<>();

  /** A part of a file of rows, most often all of it, and what is read of each row. */
  private record Part(String file, long start, Types.StructType columns) {}

  SnapshotReader(Table table) {
    this.table = table;
  }

  SnapshotRows read(Snapshot snapshot) {
    Schema schema = SnapshotUtil.schemaFor(table, snapshot.snapshotId());
    Map<Map<String, Object>, List<Map<String, @Nullable Object>>> byKey = new HashMap<>();
    try (CloseableIterable<CombinedScanTask> tasks =
        table.newScan().useSnapshot(snapshot.snapshotId()).planTasks()) {
      for (CombinedScanTask task : tasks) {
        task.files().forEach(part -> read(part, schema, byKey));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new SnapshotRows(schema, byKey);
  }

  private void read(
      FileScanTask part,
      Schema schema,
      Map<Map<String, Object>, List<Map<String, @Nullable Object>>> byKey) {
    Filter filter = new Filter(part, schema);
    List<Record> all =
        rows.computeIfAbsent(
            new Part(part.file().location(), part.start(), filter.requiredSchema().asStruct()),
            unread -> readAll(part, filter.requiredSchema()));
    for (Record record : filter.filter(CloseableIterable.withNoopClose(all))) {
      Map<String, @Nullable Object> row = IcebergValues.read(schema.asStruct(), record);
      byKey
          .computeIfAbsent(SnapshotRows.key(table.schema(), row), key -> new ArrayList<>())
          .add(row);
    }
  }

  /** All rows of a part of a file, deleted or not. */
  private List<Record> readAll(FileScanTask part, Schema columns) {
    Map<Integer, ?> constants =
        PartitionUtil.constantsMap(part, IdentityPartitionConverters::convertConstant);
    List<Record> all = new ArrayList<>();
    try (CloseableIterable<Record> read =
        FormatModelRegistry.<Record, Object>readBuilder(
                part.file().format(), Record.class, table.io().newInputFile(part.file().location()))
            .project(columns)
            .idToConstant(constants)
            .split(part.start(), part.length())
            .build()) {
      read.forEach(all::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all;
  }

  /** Iceberg's own, on deletes that are read once. */
  private final class Filter extends GenericDeleteFilter {
    private final Types.StructType columns;

    private Filter(FileScanTask part, Schema schema) {
      super(table.io(), part, table.schema(), schema);
      this.columns = schema.asStruct();
    }

    /** One for each schema: a delete's values are read as the types that its columns have there. */
    @Override
    protected DeleteLoader newDeleteLoader() {
      return deletes.computeIfAbsent(columns, unseen -> new Loader());
    }
  }

  private final class Loader extends BaseDeleteLoader {
    private final Map<String, Object> loaded = new HashMap<>();

    /**
     * Works in the calling thread: for others it would wait 10 ms and more for each file of rows.
     */
    private Loader() {
      super(file -> table.io().newInputFile(file.location()), NO_OTHER_THREADS);
    }

    @Override
    protected boolean canCache(long bytes) {
      return true;
    }

    @Override
    @SuppressWarnings("unchecked") // a file has one kind of deletes
    protected <V> V getOrLoad(String file, Supplier<V> load, long bytes) {
      return (V) loaded.computeIfAbsent(file, unread -> load.get());
    }
  }
}
