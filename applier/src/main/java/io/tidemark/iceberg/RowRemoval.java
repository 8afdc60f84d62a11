package io.tidemark.iceberg;

import io.tidemark.change.PrimaryKey;
import io.tidemark.commit.BatchStats;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.config.CatalogSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.io.ClusteredEqualityDeleteWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/**
 * Deletes all rows of some keys, however many a key has and wherever they lie: no mark is asked,
 * the rows of a snapshot are.
 */
public final class RowRemoval {
  private final Table table;
  private final Schema keyColumns;
  private final Schema columns;
  private final List<String> keyNames;
  private final Map<Integer, Map<PartitionKey, Map<PrimaryKey, StructLike>>> places =
      new LinkedHashMap<>();
  private long found;

  private RowRemoval(Table table) {
    this.table = table;
    this.keyColumns = TypeUtil.select(table.schema(), table.schema().identifierFieldIds());
    this.keyNames = StructKeys.names(table.schema());
    this.columns = IcebergSeed.columns(table, keyNames);
  }

  /**
   * What was written.
   *
   * @param rows how many rows the deletes reach
   */
  public record Removed(WrittenFiles files, long rows) {}

  /**
   * Writes the deletes.
   *
   * @param identifier namespace and name, joined by dots
   * @param snapshot whose rows are to go
   * @throws IOException if a file could not be read or written; files may be left behind
   */
  public static Removed write(
      CatalogSettings catalog, String identifier, long snapshot, Set<PrimaryKey> keys)
      throws IOException, InterruptedException {
    try (OpenCatalog open = OpenCatalog.open(catalog)) {
      RowRemoval removal = new RowRemoval(open.table(identifier));
      removal.find(snapshot, keys);
      return removal.write();
    }
  }

  private void find(long snapshot, Set<PrimaryKey> wanted)
      throws IOException, InterruptedException {
    List<PartitionSpec> specs = IcebergBatchWriter.deleteSpecs(table);
    new ParallelScan(table, snapshot, columns)
        .read(
            () -> {
              StructKeys keys = new StructKeys(columns, keyNames);
              return row -> {
                PrimaryKey key = keys.of(row);
                if (wanted.contains(key)) {
                  add(key, row, specs);
                }
              };
            });
  }

  private synchronized void add(PrimaryKey key, StructLike row, List<PartitionSpec> specs) {
    found++;
    for (PartitionSpec spec : specs) {
      PartitionKey partition = new PartitionKey(spec, columns);
      partition.partition(row);
      for (int i = 0; i < spec.fields().size(); i++) {
        partition.set(i, copied(partition.get(i, Object.class)));
      }
      places
          .computeIfAbsent(spec.specId(), id -> new LinkedHashMap<>())
          .computeIfAbsent(partition, place -> new TreeMap<>())
          .computeIfAbsent(key, k -> keyOf(row));
    }
  }

  private StructLike keyOf(StructLike row) {
    ArrayStruct key = new ArrayStruct(keyColumns.columns().size());
    int position = 0;
    for (Types.NestedField field : keyColumns.columns()) {
      int at = columns.columns().indexOf(columns.findField(field.fieldId()));
      key.set(position++, copied(row.get(at, Object.class)));
    }
    return key;
  }

  /** Readers use their buffers again. */
  private static @Nullable Object copied(@Nullable Object value) {
    if (value instanceof java.nio.ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      return java.nio.ByteBuffer.wrap(bytes);
    }
    return value instanceof CharSequence text ? text.toString() : value;
  }

  private Removed write() throws IOException {
    if (places.isEmpty()) {
      return new Removed(WrittenFiles.NONE, 0);
    }
    OutputFileFactory names =
        OutputFileFactory.builderFor(table, 0, 0).format(FileFormat.PARQUET).suffix("eq").build();
    ClusteredEqualityDeleteWriter<StructLike> writer =
        new ClusteredEqualityDeleteWriter<>(
            new ParquetRowWriters<>(table, keyColumns),
            names,
            table.io(),
            TableProperties.DELETE_TARGET_FILE_SIZE_BYTES_DEFAULT);
    try (writer) {
      for (Map.Entry<Integer, Map<PartitionKey, Map<PrimaryKey, StructLike>>> bySpec :
          places.entrySet()) {
        PartitionSpec spec = Objects.requireNonNull(table.specs().get(bySpec.getKey()));
        for (Map.Entry<PartitionKey, Map<PrimaryKey, StructLike>> group :
            bySpec.getValue().entrySet()) {
          @Nullable PartitionKey partition = spec.isUnpartitioned() ? null : group.getKey();
          for (StructLike key : group.getValue().values()) {
            writer.write(key, spec, partition);
          }
        }
      }
    }
    List<DeleteFile> deletes = writer.result().deleteFiles();
    return new Removed(
        new WrittenFiles(
            List.of(),
            FileDescriptions.write(new ArrayList<>(deletes), table.specs()),
            List.of(),
            new BatchStats(
                0,
                0,
                deletes.stream().mapToLong(ContentFile::recordCount).sum(),
                null,
                Long.MIN_VALUE,
                null)),
        found);
  }
}
