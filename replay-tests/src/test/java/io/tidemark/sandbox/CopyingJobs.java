package io.tidemark.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.OverwriteFiles;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.hadoop.HadoopCatalog;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.types.Types;

/**
 * Stands in for the real job: copies PostgreSQL's rows into the table and records the topic's end,
 * or one offset before it while it runs on.
 */
class CopyingJobs implements Jobs {

  private static final TableIdentifier IDENTIFIER = TableIdentifier.of("shop", "orders");

  private final Stack stack;
  private long lastEnd;

  CopyingJobs(Stack stack) {
    this.stack = stack;
  }

  @Override
  public Job start(Path configFile, From from) {
    while (RecordedOffsets.total(stack.kafka().endOffsets(stack.topic())) < lastEnd + 2) {
      Thread.onSpinWait();
    }
    copy(1);
    return new Copied();
  }

  @Override
  public Job startUntilCaughtUp(Path configFile, From from) {
    copy(0);
    return new Copied();
  }

  /** Changes the rows on their way. */
  void tamper(List<Record> rows) {}

  private void copy(long behind) {
    try (HadoopCatalog catalog =
        new HadoopCatalog(new Configuration(), stack.warehouse().toUri().toString())) {
      Table table =
          catalog.tableExists(IDENTIFIER)
              ? catalog.loadTable(IDENTIFIER)
              : catalog.createTable(IDENTIFIER, schema(), PartitionSpec.unpartitioned());
      NavigableMap<Integer, Long> ends = stack.kafka().endOffsets(stack.topic());
      lastEnd = RecordedOffsets.total(ends);
      ends.merge(0, -behind, Long::sum);
      List<Record> rows = rows(table.schema());
      tamper(rows);
      OverwriteFiles overwrite =
          table
              .newOverwrite()
              .overwriteByRowFilter(Expressions.alwaysTrue())
              .set("tidemark.commit-id", UUID.randomUUID().toString())
              .set("tidemark.offsets", RecordedOffsetsTest.json(stack.topic(), ends));
      overwrite.addFile(write(table, rows)).commit();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Record> rows(Schema schema) {
    List<Record> rows = new ArrayList<>();
    try (Connection connection = stack.postgres().connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT * FROM shop.orders")) {
      while (result.next()) {
        GenericRecord row = GenericRecord.create(schema);
        for (OrderColumn column : OrderColumn.ALL) {
          row.setField(column.name(), value(result, column.name()));
        }
        rows.add(row);
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    return rows;
  }

  private static Object value(ResultSet result, String name) throws SQLException {
    Map<String, Class<?>> classes =
        Map.of(
            "placed_on",
            LocalDate.class,
            "updated_at",
            OffsetDateTime.class,
            "delivered_at",
            LocalDateTime.class,
            "pickup",
            LocalTime.class);
    if (classes.containsKey(name)) {
      return result.getObject(name, classes.get(name));
    }
    if (name.equals("tags")) {
      Array array = result.getArray(name);
      return array == null ? null : Arrays.asList((String[]) array.getArray());
    }
    if (name.equals("receipt")) {
      byte[] bytes = result.getBytes(name);
      return bytes == null ? null : ByteBuffer.wrap(bytes);
    }
    return name.equals("details") ? result.getString(name) : result.getObject(name);
  }

  private static DataFile write(Table table, List<Record> rows) throws IOException {
    OutputFile file =
        table.io().newOutputFile(table.location() + "/data/" + UUID.randomUUID() + ".parquet");
    DataWriter<Record> writer =
        new GenericFileWriterFactory.Builder(table)
            .dataFileFormat(FileFormat.PARQUET)
            .build()
            .newDataWriter(table.encryption().encrypt(file), table.spec(), null);
    try (writer) {
      rows.forEach(writer::write);
    }
    return writer.toDataFile();
  }

  private static Schema schema() {
    List<Types.NestedField> fields = new ArrayList<>();
    for (OrderColumn column : OrderColumn.ALL) {
      fields.add(Types.NestedField.optional(fields.size() + 100, column.name(), column.type()));
    }
    return new Schema(fields);
  }

  private static final class Copied implements Job {

    @Override
    public String webUi() {
      return "http://none";
    }

    @Override
    public boolean isRunning() {
      return true;
    }

    @Override
    public long recordsRead() {
      return Long.MAX_VALUE / 4;
    }

    @Override
    public void await() {}

    @Override
    public void kill() {}

    @Override
    public void close() {}
  }
}
