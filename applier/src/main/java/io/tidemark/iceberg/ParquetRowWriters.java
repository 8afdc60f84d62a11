package io.tidemark.iceberg;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.iceberg.MetricsConfig;
import org.apache.iceberg.MetricsModes;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.data.parquet.InternalWriter;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.deletes.PositionDeleteWriter;
import org.apache.iceberg.encryption.EncryptedOutputFile;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.FileWriterFactory;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

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
  private final MetricsConfig keyMetrics;

  /**
   * Writers for a table.
   *
   * @param keys the columns of equality deletes
   */
  ParquetRowWriters(Table table, Schema keys) {
    this.table = table;
    this.keys = keys;
    this.keyIds = keys.columns().stream().mapToInt(field -> field.fieldId()).toArray();
    this.keyMetrics = keyMetrics(table, keys);
  }

  /**
   * What is told of the keys in a delete file. Of a uuid no bounds: Parquet orders its bytes
   * without sign, and Iceberg compares bounds as two signed numbers (apache/iceberg#14216), so that
   * it would take a delete for one that no row of a data file can be of, and the row would stay.
   * Without bounds every reader applies the delete.
   */
  private static MetricsConfig keyMetrics(Table table, Schema keys) {
    Map<String, String> properties = new HashMap<>(table.properties());
    for (Types.NestedField key : keys.columns()) {
      if (key.type().typeId() == Type.TypeID.UUID) {
        properties.put(
            TableProperties.METRICS_MODE_COLUMN_CONF_PREFIX + key.name(),
            MetricsModes.Counts.get().toString());
      }
    }
    return MetricsConfig.from(properties, keys, SortOrder.unsorted());
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
          .metricsConfig(keyMetrics)
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
