package io.tidemark.iceberg;

import io.tidemark.change.Change;
import io.tidemark.change.CommitVersion;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import io.tidemark.change.Told;
import io.tidemark.commit.UnavailableException;
import io.tidemark.failure.RefusedException;
import io.tidemark.merge.RowSource;
import io.tidemark.merge.StoredRow;
import io.tidemark.row.RowShape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Supplier;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetReaders;
import org.apache.iceberg.encryption.EncryptedFiles;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.parquet.Parquet;
import org.jspecify.annotations.Nullable;

/**
 * Finds rows where they were written. A row whose mark comes from the table has not been written
 * since, so it lies in the table, whatever snapshot is current. Any other lies in a file of this
 * writer, or of one before it whose commit is in the table or on its way there.
 *
 * <p>Only rows whose version is the mark's are taken: a row that is older, because a commit has not
 * landed yet, is never mistaken for it.
 */
final class WrittenRows implements RowSource {
  /** More than can wait for their commit: those that were forgotten are in the table. */
  private static final int REMEMBERED_FILES = 10_000;

  private static final int ATTEMPTS = 20;
  private static final long PAUSE_MILLIS = 250;

  /**
   * A compaction and an expiry by others may take a file away between planning and reading, and the
   * catalog may show an old state at first.
   */
  private static final int READS = 3;

  private final Table table;
  private final Supplier<Table> now;
  private final Schema columns;
  private final StructKeys keys;
  private final KeyFilter filter;
  private final RecordEncoder encoder;
  private final InternalRecordWrapper internal;
  private final Deque<DataFile> written = new ArrayDeque<>();

  /**
   * Rows of a table.
   *
   * @param table as its writer knows it
   * @param now loads the table as it is now
   */
  WrittenRows(Table table, Supplier<Table> now, RowShape shape) {
    this.table = table;
    this.now = now;
    List<String> names = new ArrayList<>(shape.columns().size() + 3);
    shape.columns().forEach(column -> names.add(column.name()));
    names.addAll(List.of(AddedColumns.COMMIT_VERSION, AddedColumns.SOURCE_TS, AddedColumns.KEPT));
    columns = table.schema().select(names);
    keys = new StructKeys(columns, StructKeys.names(table.schema()));
    filter = new KeyFilter(shape);
    encoder = new RecordEncoder(shape);
    internal = new InternalRecordWrapper(columns.asStruct());
  }

  /** Remembers files of this writer, which no table knows yet. */
  void wrote(List<DataFile> files) {
    for (DataFile file : files) {
      written.addFirst(file.copyWithoutStats());
    }
    while (written.size() > REMEMBERED_FILES) {
      written.removeLast();
    }
  }

  @Override
  public Map<PrimaryKey, StoredRow> read(List<Wanted> wanted) throws IOException {
    Map<PrimaryKey, Mark> missing = new HashMap<>();
    wanted.forEach(row -> missing.put(row.key(), row.mark()));
    Map<PrimaryKey, StoredRow> found = new HashMap<>();
    Expression where = filter.of(wanted);
    try {
      readOwnFiles(where, missing, found);
      int refused = 0;
      for (int attempt = 0; !missing.isEmpty(); attempt++) {
        if (attempt > 0) {
          pause(attempt, missing.size());
        }
        try {
          readTable(where, missing, found);
        } catch (RefusedException e) {
          if (++refused == READS) {
            throw e;
          }
        }
      }
    } catch (UncheckedIOException e) {
      throw new IOException("Rows of table " + table.name() + " could not be read", e);
    }
    return found;
  }

  /** Newest first: of a key that was written twice the later row stands. */
  private void readOwnFiles(
      Expression where, Map<PrimaryKey, Mark> missing, Map<PrimaryKey, StoredRow> found)
      throws IOException {
    for (Iterator<DataFile> files = written.iterator();
        files.hasNext() && missing.values().stream().anyMatch(WrittenRows::wasWritten); ) {
      DataFile file = files.next();
      try (CloseableIterable<Record> rows = open(file, where)) {
        rows.forEach(row -> take(row, missing, found));
      } catch (RefusedException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        FileFault fault = TableFiles.faultIfAny(table.io(), file);
        if (fault == null) {
          throw e;
        }
        if (fault.found() != null) {
          throw fault.refusal(table.name(), null);
        }
        files.remove(); // committed, compacted and expired by others since
      }
    }
  }

  private static boolean isSeeded(Mark mark) {
    return mark.contentHash() == Change.UNKNOWN_CONTENT
        || mark.contentHash() == Change.UNVERSIONED_CONTENT;
  }

  private static boolean wasWritten(Mark mark) {
    return !isSeeded(mark) || !mark.kept().isEmpty();
  }

  private CloseableIterable<Record> open(DataFile file, Expression where) {
    InputFile input =
        table
            .encryption()
            .decrypt(
                EncryptedFiles.encryptedInput(
                    table.io().newInputFile(file.location()), file.keyMetadata()));
    return Parquet.read(input)
        .project(columns)
        .filter(where)
        .createReaderFunc(schema -> GenericParquetReaders.buildReader(columns, schema))
        .build();
  }

  private void readTable(
      Expression where, Map<PrimaryKey, Mark> missing, Map<PrimaryKey, StoredRow> found)
      throws IOException {
    Table current = now.get();
    Snapshot snapshot = current.currentSnapshot();
    if (snapshot != null) {
      new FilteredScan(current, snapshot.snapshotId(), columns, where)
          .read(row -> take(row, missing, found));
    }
    if (missing.values().stream().anyMatch(WrittenRows::isSeeded)) {
      // A row whose content is not known was read from the table, and nothing of ours replaced it.
      if (snapshot != null) {
        TableFiles.requireLists(current, snapshot.snapshotId());
      }
      throw ahead();
    }
  }

  private void take(
      Record record, Map<PrimaryKey, Mark> missing, Map<PrimaryKey, StoredRow> found) {
    PrimaryKey key = keys.of(internal.wrap(record));
    Mark mark = missing.get(key);
    StoredRow row = mark == null ? null : ifOf(mark, key, record);
    if (row != null) {
      missing.remove(key);
      found.put(key, row);
    }
  }

  /** The row, if it is the one that the mark speaks of. */
  private @Nullable StoredRow ifOf(Mark mark, PrimaryKey key, Record record) {
    Object text = record.getField(AddedColumns.COMMIT_VERSION);
    if (text == null) { // of a table that was adopted
      return mark.contentHash() == Change.UNVERSIONED_CONTENT
          ? new StoredRow(mark.version(), mark.contentHash(), 0, encoder.encode(record))
          : null;
    }
    CommitVersion version = CommitVersion.parse(text.toString());
    SortedMap<String, Told> kept = AddedColumns.kept(record.getField(AddedColumns.KEPT));
    if (version.comparePosition(mark.version()) > 0) {
      throw ahead();
    }
    if (version.comparePosition(mark.version()) != 0 || !sameKept(kept, mark.kept())) {
      return null;
    }
    byte[] row = encoder.encode(record);
    long time =
        RecordEncoder.micros((java.time.OffsetDateTime) record.getField(AddedColumns.SOURCE_TS));
    // A copy has raised the mark's offset, and then its content is known.
    boolean same =
        version.equals(mark.version())
            || (kept.isEmpty()
                && new Change(key, Kind.UPSERT, version, time, row).contentHash()
                    == mark.contentHash());
    return same ? new StoredRow(version, mark.contentHash(), time, row) : null;
  }

  private RefusedException ahead() {
    return new RefusedException(
        "Table "
            + table.name()
            + " does not hold a row any more that it held when this job started: another job writes"
            + " it, or it was rolled back. This job stops; nothing is lost. Stop the other job if"
            + " there is one, and start without state (./tidemark run -c FILE): it goes on from the"
            + " table's record");
  }

  private static boolean sameKept(SortedMap<String, Told> one, SortedMap<String, Told> other) {
    return one.keySet().equals(other.keySet())
        && one.entrySet().stream()
            .allMatch(
                column -> {
                  Told told = other.get(column.getKey());
                  return told != null && told.ties(column.getValue());
                });
  }

  /** After a restore the commit that has a row may still be on its way. */
  private void pause(int attempt, int missing) {
    if (attempt == ATTEMPTS) {
      throw new UnavailableException(
          "Table "
              + table.name()
              + " does not show "
              + missing
              + " rows yet that columns are to be kept from");
    }
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException("Stopped while waiting for rows of table " + table.name());
    }
  }
}
