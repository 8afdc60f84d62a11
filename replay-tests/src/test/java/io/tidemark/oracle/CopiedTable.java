package io.tidemark.oracle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.OverwriteFiles;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.encryption.EncryptedFiles;
import org.apache.iceberg.inmemory.InMemoryCatalog;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.types.Types;

/**
 * A table that is written over with what the oracle says, snapshot by snapshot, so that a test can
 * plant a difference between the two.
 */
final class CopiedTable {

  private static final Schema SCHEMA =
      new Schema(
          List.of(
              Types.NestedField.required(1, "id", Types.LongType.get()),
              Types.NestedField.optional(2, "name", Types.StringType.get()),
              Types.NestedField.optional(3, "amount", Types.DecimalType.of(12, 2)),
              Types.NestedField.required(4, "qty", Types.IntegerType.get()),
              Types.NestedField.required(5, "region", Types.StringType.get()),
              Types.NestedField.optional(6, "day", Types.DateType.get()),
              Types.NestedField.optional(7, "updated_at", Types.TimestampType.withZone()),
              Types.NestedField.required(8, "_commit_version", Types.StringType.get()),
              Types.NestedField.optional(9, "_source_ts", Types.TimestampType.withZone()),
              Types.NestedField.optional(
                  10,
                  "_kept",
                  Types.MapType.ofOptional(
                      11, 12, Types.StringType.get(), Types.StringType.get()))),
          Set.of(1));

  private final Table table;
  private List<DataFile> files = new ArrayList<>();
  private String last = "";

  CopiedTable() {
    this(inMemory(), "orders");
  }

  CopiedTable(Catalog catalog, String name) {
    table =
        catalog.createTable(
            TableIdentifier.of("shop", name), SCHEMA, PartitionSpec.unpartitioned());
  }

  private static Catalog inMemory() {
    InMemoryCatalog catalog = new InMemoryCatalog();
    catalog.initialize("memory", Map.of());
    catalog.createNamespace(Namespace.of("shop"));
    return catalog;
  }

  Table table() {
    return table;
  }

  DataFile lastFile() {
    return files.get(files.size() - 1);
  }

  /** What the table holds for the oracle's rows. */
  static List<Record> rows(OracleTable folded) {
    List<Record> rows = new ArrayList<>();
    folded
        .live()
        .values()
        .forEach(
            row -> {
              GenericRecord record = GenericRecord.create(SCHEMA);
              Objects.requireNonNull(row.row()).forEach(record::setField);
              record.setField("_commit_version", text(row.version()));
              record.setField("_source_ts", row.sourceTime());
              rows.add(record);
            });
    return rows;
  }

  /** What a table of tombstones holds for the oracle's deleted keys. */
  static List<Record> tombstones(OracleTable folded) {
    List<Record> rows = new ArrayList<>();
    folded
        .deleted()
        .forEach(
            (key, row) -> {
              GenericRecord record = GenericRecord.create(SCHEMA);
              record.setField("id", key.get("id"));
              record.setField("qty", 0);
              record.setField("region", "");
              record.setField("_commit_version", text(row.version()));
              rows.add(record);
            });
    return rows;
  }

  static String text(OracleVersion v) {
    return String.format(
        "%08x-%016x-%016x-%016x-%d-%016x",
        v.epoch(), v.p1(), v.p2(), v.p3(), v.phase(), v.offset());
  }

  /** The summary of a right commit; to be changed by a test. */
  Map<String, String> summary(Offsets offsets) {
    Map<String, String> summary = new HashMap<>();
    summary.put("tidemark.commit-id", UUID.randomUUID().toString());
    if (!last.isEmpty()) {
      summary.put("tidemark.parent", last);
    }
    summary.put("tidemark.offsets", json(offsets));
    last = summary.get("tidemark.commit-id");
    return summary;
  }

  /** Replaces all rows. */
  void write(List<Record> rows, Map<String, String> summary) {
    DataFile file = file(rows);
    OverwriteFiles overwrite = table.newOverwrite();
    files.forEach(overwrite::deleteFile);
    overwrite.addFile(file);
    summary.forEach(overwrite::set);
    overwrite.commit();
    files = new ArrayList<>(List.of(file));
  }

  /** Lists a file once more under the same path. */
  void addAgain(Map<String, String> summary) {
    DataFile again = DataFiles.builder(table.spec()).copy(lastFile()).build();
    var append = table.newFastAppend();
    append.appendFile(again);
    summary.forEach(append::set);
    append.commit();
  }

  private DataFile file(List<Record> rows) {
    GenericFileWriterFactory factory =
        new GenericFileWriterFactory.Builder(table).dataFileFormat(FileFormat.PARQUET).build();
    String path = table.location() + "/data/" + UUID.randomUUID() + ".parquet";
    DataWriter<Record> writer =
        factory.newDataWriter(
            EncryptedFiles.plainAsEncryptedOutput(table.io().newOutputFile(path)),
            table.spec(),
            null);
    try (writer) {
      rows.forEach(writer::write);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return writer.toDataFile();
  }

  private static String json(Offsets offsets) {
    StringBuilder json = new StringBuilder("{");
    offsets
        .next()
        .forEach(
            (topic, partitions) -> {
              json.append(json.length() > 1 ? "," : "").append('"').append(topic).append("\":{");
              StringBuilder inner = new StringBuilder();
              partitions.forEach(
                  (p, next) ->
                      inner
                          .append(inner.isEmpty() ? "" : ",")
                          .append('"')
                          .append(p)
                          .append("\":")
                          .append(next));
              json.append(inner).append('}');
            });
    return json.append('}').toString();
  }
}
