package io.tidemark.iceberg;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.ManageSnapshots;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.parquet.Parquet;
import org.jspecify.annotations.Nullable;

/** What a maintenance job of somebody else does: reads a snapshot, and later replaces its files. */
final class Compaction {
  private final Table table;
  private final Snapshot from;
  private final Set<DataFile> before = new HashSet<>();
  private final Set<DataFile> after = new HashSet<>();

  private Compaction(Table table) {
    this.table = table;
    this.from = table.currentSnapshot();
  }

  /** Reads the current snapshot and writes its rows into the current spec's partitions. */
  static Compaction start(Table table) throws IOException {
    table.refresh();
    Compaction compaction = new Compaction(table);
    if (compaction.from == null) {
      return compaction;
    }
    try (CloseableIterable<FileScanTask> files = table.newScan().planFiles()) {
      files.forEach(file -> compaction.before.add(file.file().copy()));
    }
    compaction.rewrite();
    return compaction;
  }

  /** Replaces the files that were read; false if there were none. */
  boolean commit() {
    if (before.isEmpty()) {
      return false;
    }
    table.refresh();
    RewriteFiles rewrite =
        table
            .newRewrite()
            .validateFromSnapshot(from.snapshotId())
            .dataSequenceNumber(from.sequenceNumber());
    before.forEach(rewrite::deleteFile);
    after.forEach(rewrite::addFile);
    rewrite.commit();
    return true;
  }

  static void run(Table table) throws IOException {
    start(table).commit();
  }

  /**
   * The same of tombstones. Where a dead job appended once more what had been taken back and has
   * expired since, the current snapshot lacks files, and nobody can compact it. The next commit
   * takes it back; until then no record may name it.
   *
   * @param pinned the snapshot that the last record names; null for none
   */
  static void runOnTombstones(Table table, @Nullable Long pinned) throws IOException {
    try {
      run(table);
    } catch (NotFoundException gone) {
      long current = table.currentSnapshot().snapshotId();
      assertThat(pinned == null || TombstoneLog.readable(table, pinned) != current)
          .as("%s, in a snapshot that no record names", gone.getMessage())
          .isTrue();
      FaultyTables.happens("tombstones whose files are gone");
    }
  }

  /** Keeps the current snapshot only. */
  static void expire(Table table) {
    table.refresh();
    table
        .expireSnapshots()
        .expireOlderThan(System.currentTimeMillis() + 1000)
        .retainLast(1)
        .commit();
  }

  /** Leaves tombstones as a Tidemark did that knew no tags. */
  static void dropTags(Table table) {
    table.refresh();
    ManageSnapshots drop = table.manageSnapshots();
    for (Map.Entry<String, SnapshotRef> ref : table.refs().entrySet()) {
      if (ref.getValue().isTag()) {
        drop.removeTag(ref.getKey());
      }
    }
    drop.commit();
  }

  private void rewrite() throws IOException {
    PartitionSpec spec = table.spec();
    InternalRecordWrapper internal = new InternalRecordWrapper(table.schema().asStruct());
    PartitionKey key = new PartitionKey(spec, table.schema());
    OutputFileFactory names =
        OutputFileFactory.builderFor(table, 9, 9).format(FileFormat.PARQUET).build();
    Map<PartitionKey, DataWriter<Record>> writers = new HashMap<>();
    try (CloseableIterable<Record> rows = IcebergGenerics.read(table).build()) {
      for (Record row : rows) {
        key.partition(internal.wrap(row));
        DataWriter<Record> writer = writers.get(key);
        if (writer == null) {
          PartitionKey partition = key.copy();
          writer =
              Parquet.writeData(names.newOutputFile(spec, spec.isPartitioned() ? partition : null))
                  .forTable(table)
                  .createWriterFunc(GenericParquetWriter::create)
                  .withSpec(spec)
                  .withPartition(spec.isPartitioned() ? partition : null)
                  .build();
          writers.put(partition, writer);
        }
        writer.write(row);
      }
    }
    for (DataWriter<Record> writer : writers.values()) {
      writer.close();
      after.add(writer.toDataFile());
    }
  }
}
