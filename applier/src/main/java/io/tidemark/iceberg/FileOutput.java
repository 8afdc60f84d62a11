package io.tidemark.iceberg;

import io.tidemark.merge.Winner;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.io.ClusteredDataWriter;
import org.apache.iceberg.io.ClusteredEqualityDeleteWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.io.PartitioningWriter;
import org.apache.iceberg.util.PropertyUtil;

/** Writes groups of rows into new files of a table; on failure nothing of them is left. */
final class FileOutput {
  private final Table table;
  private final ParquetRowWriters<BinaryRowStruct> writers;
  private final OutputFileFactory dataNames;
  private final OutputFileFactory deleteNames;
  private final long dataFileBytes;
  private final long deleteFileBytes;

  FileOutput(Table table, Schema keys, int subtask, int attempt) {
    this.table = table;
    writers = new ParquetRowWriters<>(table, keys);
    dataNames =
        OutputFileFactory.builderFor(table, subtask, attempt).format(FileFormat.PARQUET).build();
    deleteNames =
        OutputFileFactory.builderFor(table, subtask, attempt)
            .format(FileFormat.PARQUET)
            .suffix("eq")
            .build();
    dataFileBytes =
        PropertyUtil.propertyAsLong(
            table.properties(),
            TableProperties.WRITE_TARGET_FILE_SIZE_BYTES,
            TableProperties.WRITE_TARGET_FILE_SIZE_BYTES_DEFAULT);
    deleteFileBytes =
        PropertyUtil.propertyAsLong(
            table.properties(),
            TableProperties.DELETE_TARGET_FILE_SIZE_BYTES,
            TableProperties.DELETE_TARGET_FILE_SIZE_BYTES_DEFAULT);
  }

  /** Writes data files. */
  List<DataFile> rows(PartitionGroups groups, Function<Winner, BinaryRowStruct> rows)
      throws IOException {
    ClusteredDataWriter<BinaryRowStruct> writer =
        new ClusteredDataWriter<>(writers, dataNames, table.io(), dataFileBytes);
    write(writer, List.of(groups), rows, () -> discard(writer.result().dataFiles()));
    return writer.result().dataFiles();
  }

  /** Writes equality-delete files. */
  List<DeleteFile> deletes(List<PartitionGroups> groups, Function<Winner, BinaryRowStruct> keys)
      throws IOException {
    ClusteredEqualityDeleteWriter<BinaryRowStruct> writer =
        new ClusteredEqualityDeleteWriter<>(writers, deleteNames, table.io(), deleteFileBytes);
    write(writer, groups, keys, () -> discard(writer.result().deleteFiles()));
    return writer.result().deleteFiles();
  }

  /** Deletes files that nobody will commit; a failure to do so is added to {@code cause}. */
  void discard(List<? extends ContentFile<?>> files, Exception cause) {
    try {
      discard(files);
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  private void discard(List<? extends ContentFile<?>> files) {
    files.forEach(file -> table.io().deleteFile(file.location()));
  }

  private static void write(
      PartitioningWriter<BinaryRowStruct, ?> writer,
      List<PartitionGroups> groups,
      Function<Winner, BinaryRowStruct> rows,
      Runnable discard)
      throws IOException {
    try {
      for (PartitionGroups group : groups) {
        group.forEach(
            (winner, spec, partition) -> writer.write(rows.apply(winner), spec, partition));
      }
      writer.close();
    } catch (IOException | RuntimeException e) {
      try {
        writer.close();
        discard.run();
      } catch (IOException | RuntimeException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }
}
