package io.tidemark.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.encryption.EncryptedFiles;
import org.apache.iceberg.encryption.EncryptedOutputFile;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.inmemory.InMemoryCatalog;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is read once must be what Iceberg reads for each snapshot by itself. */
class SnapshotReaderTest {

  private static final Schema SCHEMA =
      new Schema(
          List.of(
              Types.NestedField.required(1, "id", Types.IntegerType.get()),
              Types.NestedField.optional(2, "name", Types.StringType.get()),
              Types.NestedField.optional(3, "region", Types.StringType.get())),
          Set.of(1));

  private final InMemoryCatalog catalog = new InMemoryCatalog();
  private final Table table = create();

  private Table create() {
    catalog.initialize("memory", Map.of());
    catalog.createNamespace(Namespace.of("shop"));
    return catalog.createTable(
        TableIdentifier.of("shop", "t"),
        SCHEMA,
        PartitionSpec.builderFor(SCHEMA).identity("region").build());
  }

  /** Rows that are deleted in some snapshots and live in others, of a key that becomes wider. */
  @BeforeEach
  void history() throws IOException {
    DataFile eu = file("eu", 1, 2, 3);
    table.newRowDelta().addRows(eu).addRows(file("us", 4, 5)).commit();
    table.newRowDelta().addDeletes(deletes("eu", 2)).addRows(file("eu", 2)).commit();
    table.newRowDelta().addDeletes(position(eu, 0)).commit();
    table
        .updateSchema()
        .updateColumn("id", Types.LongType.get())
        .renameColumn("name", "title")
        .commit();
    table.newRowDelta().addDeletes(deletes("eu", 2L, 3L)).addRows(file("eu", 2L, 1L)).commit();
    table.newRowDelta().addDeletes(deletes("us", 4L)).commit();
    table.newRowDelta().addRows(file("us", 5L)).commit();
    table.newDelete().deleteFile(eu).commit();
  }

  @Test
  void everySnapshotIsAsIcebergReadsItInAnyOrder() throws IOException {
    List<Snapshot> snapshots = new ArrayList<>();
    table.snapshots().forEach(snapshots::add);
    assertThat(snapshots).hasSize(7);
    SnapshotReader reader = new SnapshotReader(table);
    List<Integer> sizes = new ArrayList<>();
    for (Snapshot snapshot : snapshots) {
      sizes.add(check(reader, snapshot));
    }
    assertThat(sizes).containsExactly(5, 5, 4, 4, 3, 4, 4);
    for (int i = snapshots.size(); i-- > 0; ) {
      check(reader, snapshots.get(i));
    }
  }

  @Test
  void aFileThatIsGoneIsMissed() throws IOException {
    Snapshot first = table.snapshots().iterator().next();
    try (CloseableIterable<FileScanTask> files =
        table.newScan().useSnapshot(first.snapshotId()).planFiles()) {
      files.forEach(file -> table.io().deleteFile(file.file().location()));
    }
    assertThatThrownBy(() -> new SnapshotReader(table).read(first))
        .isInstanceOf(NotFoundException.class);
  }

  private int check(SnapshotReader reader, Snapshot snapshot) throws IOException {
    Schema schema = SnapshotUtil.schemaFor(table, snapshot.snapshotId());
    Map<Map<String, Object>, List<Map<String, @Nullable Object>>> expected = new HashMap<>();
    int count = 0;
    try (CloseableIterable<Record> records =
        IcebergGenerics.read(table).useSnapshot(snapshot.snapshotId()).build()) {
      for (Record record : records) {
        Map<String, @Nullable Object> row = IcebergValues.read(schema.asStruct(), record);
        expected
            .computeIfAbsent(SnapshotRows.key(table.schema(), row), key -> new ArrayList<>())
            .add(row);
        count++;
      }
    }
    SnapshotRows found = reader.read(snapshot);
    assertThat(found.schema().asStruct()).isEqualTo(schema.asStruct());
    assertThat(found.rows().keySet()).isEqualTo(expected.keySet());
    found.rows().forEach((key, rows) -> assertThat(rows).hasSameElementsAs(expected.get(key)));
    found.rows().forEach((key, rows) -> assertThat(rows).hasSameSizeAs(expected.get(key)));
    return count;
  }

  private DataFile file(String region, Object... ids) throws IOException {
    var writer = factory().newDataWriter(output(), table.spec(), partition(region));
    try (writer) {
      for (Object id : ids) {
        GenericRecord row = GenericRecord.create(table.schema());
        row.set(0, id);
        row.set(1, UUID.randomUUID().toString());
        row.set(2, region);
        writer.write(row);
      }
    }
    return writer.toDataFile();
  }

  private DeleteFile deletes(String region, Object... ids) throws IOException {
    var writer = factory().newEqualityDeleteWriter(output(), table.spec(), partition(region));
    try (writer) {
      for (Object id : ids) {
        GenericRecord key = GenericRecord.create(table.schema().select("id"));
        key.set(0, id);
        writer.write(key);
      }
    }
    return writer.toDeleteFile();
  }

  private DeleteFile position(DataFile file, long position) throws IOException {
    var writer = factory().newPositionDeleteWriter(output(), table.spec(), file.partition());
    try (writer) {
      writer.write(PositionDelete.<Record>create().set(file.location(), position));
    }
    return writer.toDeleteFile();
  }

  private GenericFileWriterFactory factory() {
    return new GenericFileWriterFactory.Builder(table)
        .dataFileFormat(FileFormat.PARQUET)
        .deleteFileFormat(FileFormat.PARQUET)
        .equalityFieldIds(new int[] {1})
        .equalityDeleteRowSchema(table.schema().select("id"))
        .build();
  }

  private EncryptedOutputFile output() {
    return EncryptedFiles.plainAsEncryptedOutput(
        table.io().newOutputFile(table.location() + "/data/" + UUID.randomUUID() + ".parquet"));
  }

  private PartitionData partition(String region) {
    PartitionData partition = new PartitionData(table.spec().partitionType());
    partition.set(0, region);
    return partition;
  }
}
