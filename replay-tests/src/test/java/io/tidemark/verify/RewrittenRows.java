package io.tidemark.verify;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.encryption.EncryptedFiles;
import org.apache.iceberg.io.DataWriter;

/** What others write into a table. */
public final class RewrittenRows {

  private RewrittenRows() {}

  /** As a compaction that does not do what it should: puts these rows in place of all. */
  public static void replaceAll(Table table, List<Record> rows) {
    Set<DataFile> before = new HashSet<>();
    table.newScan().planFiles().forEach(task -> before.add(task.file()));
    var rewrite = table.newRewrite().validateFromSnapshot(table.currentSnapshot().snapshotId());
    before.forEach(rewrite::deleteFile);
    write(table, rows).forEach(rewrite::addFile);
    rewrite.commit();
  }

  /** Files with these rows, which no table knows. */
  static List<DataFile> write(Table table, List<Record> rows) {
    List<DataFile> files = new ArrayList<>();
    GenericFileWriterFactory factory =
        new GenericFileWriterFactory.Builder(table).dataFileFormat(FileFormat.PARQUET).build();
    for (Record row : rows) {
      var partition = new org.apache.iceberg.PartitionKey(table.spec(), table.schema());
      partition.partition(
          new org.apache.iceberg.data.InternalRecordWrapper(table.schema().asStruct()).wrap(row));
      String path = table.location() + "/data/" + UUID.randomUUID() + ".parquet";
      DataWriter<Record> writer =
          factory.newDataWriter(
              EncryptedFiles.plainAsEncryptedOutput(table.io().newOutputFile(path)),
              table.spec(),
              table.spec().isPartitioned() ? partition : null);
      try (writer) {
        writer.write(row);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      files.add(writer.toDataFile());
    }
    return files;
  }
}
