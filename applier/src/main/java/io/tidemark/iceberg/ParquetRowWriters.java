package io.tidemark.iceberg;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.parquet.InternalWriter;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.deletes.PositionDeleteWriter;
import org.apache.iceberg.encryption.EncryptedOutputFile;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.FileWriterFactory;
import org.apache.iceberg.parquet.Parquet;

/**
 * Writes Parquet files with the properties of a table, from rows in Iceberg's internal
 * representation.
 *
 * <p>Not through Flink's writers: they cut times to the millisecond.
 */
final class ParquetRowWriters<T extends StructLike> implements FileWriterFactory<T> {
  private final Table table;
  private final Schema keys;
  private final int[] keyIds;

  /**
   * Writers for a table.
   *
   * @param keys the columns of equality deletes
   */
  ParquetRowWriters(Table table, Schema keys) {
    this.table = table;
    this.keys = keys;
    this.keyIds = keys.columns().stream().mapToInt(field -> field.fieldId()).toArray();
  }

  @Override
  public DataWriter<T> newDataWriter(
      EncryptedOutputFile file, PartitionSpec spec, StructLike partition) {
    try {
      return Parquet.writeData(file)
          .forTable(table)
          .createWriterFunc((schema, type) -> InternalWriter.createWriter(schema, type))
          .withSpec(spec)
          .withPartition(partition)
          .withKeyMetadata(file.keyMetadata())
          .overwrite()
          .build();
    } catch (IOException e) {
      throw new UncheckedIOException("A data file of " + table.name() + " could not be opened", e);
    }
  }

  @Override
  public EqualityDeleteWriter<T> newEqualityDeleteWriter(
      EncryptedOutputFile file, PartitionSpec spec, StructLike partition) {
    try {
      return Parquet.writeDeletes(file)
          .forTable(table)
          .rowSchema(keys)
          .equalityFieldIds(keyIds)
          .createWriterFunc((schema, type) -> InternalWriter.createWriter(schema, type))
          .withSpec(spec)
          .withPartition(partition)
          .withKeyMetadata(file.keyMetadata())
          .overwrite()
          .buildEqualityWriter();
    } catch (IOException e) {
      throw new UncheckedIOException(
          "A delete file of " + table.name() + " could not be opened", e);
    }
  }

  @Override
  public PositionDeleteWriter<T> newPositionDeleteWriter(
      EncryptedOutputFile file, PartitionSpec spec, StructLike partition) {
    throw new UnsupportedOperationException("Rows are deleted by their keys");
  }
}
