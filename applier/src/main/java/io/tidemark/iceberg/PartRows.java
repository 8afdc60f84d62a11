package io.tidemark.iceberg;

import io.tidemark.failure.RefusedException;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.DeleteLoader;
import org.apache.iceberg.data.GenericDeleteFilter;
import org.apache.iceberg.data.IdentityPartitionConverters;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Evaluator;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.formats.FormatModelRegistry;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.PartitionUtil;

/**
 * Reads rows a part of a file at a time, with its deletes applied: whoever knows which file is
 * being read can say which one is damaged.
 *
 * @param snapshot id of the snapshot that is read
 * @param columns of the rows; they come first, and may be followed by others
 * @param parallel whether several threads read: each may stop once it is interrupted, and use a row
 *     again for the next
 * @param deletes of all parts
 */
record PartRows(
    Table table, long snapshot, Schema columns, boolean parallel, SharedDeletes deletes) {

  PartRows(Table table, long snapshot, Schema columns, boolean parallel) {
    this(table, snapshot, columns, parallel, new SharedDeletes(table.io()));
  }

  /**
   * Hands over the live rows of a part that the scan's filter takes.
   *
   * @throws RefusedException if a file is gone or damaged
   * @throws IOException or a runtime exception if it could not be read for now, or the taker threw
   *     one
   */
  void read(FileScanTask part, Consumer<Record> taker) throws IOException {
    Filter filter = new Filter(part);
    Schema read = filter.requiredSchema();
    Evaluator residual = new Evaluator(read.asStruct(), part.residual());
    boolean all = part.residual().op() == Expression.Operation.TRUE;
    InternalRecordWrapper internal = new InternalRecordWrapper(read.asStruct());
    try (CloseableIterable<Record> rows = filter.filter(open(part, read))) {
      for (Record row : rows) {
        if (parallel && Thread.currentThread().isInterrupted()) {
          return; // another part failed, or the caller has gone
        }
        if (all || residual.eval(internal.wrap(row))) {
          taker.accept(row);
        }
      }
    } catch (RefusedException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      RefusedException refused = TableFiles.refusal(table, snapshot, TableFiles.of(part));
      if (refused != null) {
        throw refused;
      }
      throw e;
    }
  }

  private CloseableIterable<Record> open(FileScanTask part, Schema projection) {
    Map<Integer, ?> constants =
        PartitionUtil.constantsMap(part, IdentityPartitionConverters::convertConstant);
    var builder =
        FormatModelRegistry.<Record, Object>readBuilder(
                part.file().format(), Record.class, table.io().newInputFile(part.file()))
            .project(projection)
            .idToConstant(constants)
            .split(part.start(), part.length())
            .filter(part.residual());
    return (parallel ? builder.reuseContainers() : builder).build();
  }

  /** Applies a file's deletes, which other files have too. */
  private final class Filter extends GenericDeleteFilter {
    private Filter(FileScanTask part) {
      super(table.io(), part, table.schema(), columns);
    }

    @Override
    protected DeleteLoader newDeleteLoader() {
      return deletes;
    }
  }
}
