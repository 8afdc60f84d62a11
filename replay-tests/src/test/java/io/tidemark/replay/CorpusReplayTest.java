package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.SourceOffset;
import io.tidemark.config.StartPosition;
import io.tidemark.debezium.RawRecord;
import io.tidemark.debezium.ShapeReader;
import io.tidemark.debezium.ShapeResult.Discovered;
import io.tidemark.oracle.RawEvent;
import io.tidemark.oracle.TableReport;
import io.tidemark.row.Column;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Recordings of a real database, through Kafka and the real job into a real table: in every column
 * of every row the database's own answer. What the source itself loses is listed, cell by cell, in
 * {@link CorpusTable}.
 */
@Timeout(300)
class CorpusReplayTest {

  @TempDir Path warehouse;

  @ParameterizedTest
  @EnumSource(CorpusTable.class)
  void inOrderThenRepeatedThenCopiedThenReadAgain(CorpusTable recorded) throws Exception {
    Random random = Seed.random("CorpusReplayTest." + recorded, 1);
    List<RawEvent> events = recorded.load().events();
    ReplayJob job = job(recorded, "ordered." + recorded.name() + "." + recorded.topic());

    ReplayKafka.produce(job.topic(), events);
    endsAsTheDatabase(recorded, job.catchUp(), "in order");

    List<RawEvent> suffix = events.subList(random.nextInt(events.size()), events.size());
    ReplayKafka.produce(job.topic(), suffix);
    ReplayKafka.produce(job.topic(), Deliveries.shuffled(events, random));
    endsAsTheDatabase(recorded, job.catchUp(), "suffix repeated, shuffled copy after");

    endsAsTheDatabase(
        recorded, job.catchUpFrom(new StartPosition.Earliest()), "read again from the beginning");
  }

  @ParameterizedTest
  @EnumSource(CorpusTable.class)
  void interleavedWithSuffixesRepeatedOnTheWay(CorpusTable recorded) throws Exception {
    Random random = Seed.random("CorpusReplayTest." + recorded, 2);
    ReplayJob job = job(recorded, "interleaved." + recorded.name() + "." + recorded.topic());

    ReplayKafka.produce(
        job.topic(),
        Deliveries.interleaved(Deliveries.withRestarts(recorded.load().events(), random), random));

    endsAsTheDatabase(recorded, job.catchUp(), "interleaved");
  }

  private static void endsAsTheDatabase(CorpusTable recorded, ReplayJob job, String what) {
    TableReport report = job.check();
    System.out.println(recorded + ", " + what + ": " + report);
    assertThat(Truth.differences(recorded.load(), rows(job.table())))
        .as(what)
        .isEqualTo(recorded.lost());
  }

  private static Map<String, Map<String, @Nullable Object>> rows(Table table) {
    Map<String, Map<String, @Nullable Object>> rows = new TreeMap<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
      for (Record record : records) {
        rows.put(record.getField("id").toString(), map(table.schema().asStruct(), record));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return rows;
  }

  private static Map<String, @Nullable Object> map(Types.StructType type, Record record) {
    Map<String, @Nullable Object> map = new TreeMap<>();
    for (Types.NestedField field : type.fields()) {
      Object value = record.getField(field.name());
      map.put(
          field.name(),
          value instanceof Record nested ? map(field.type().asStructType(), nested) : value);
    }
    return map;
  }

  private ReplayJob job(CorpusTable recorded, String topic) {
    ReplayKafka.createTopic(topic, 4);
    List<String> route =
        new ArrayList<>(List.of("on-unrepresentable: 'null'", "unknown-values: 'null'"));
    if (!recorded.hasSchemas()) {
      route.add("columns:");
      columns(recorded).forEach((name, type) -> route.add("  " + name + ": '" + type + "'"));
    }
    return new ReplayJob(topic, warehouse, recorded.oracle(), route);
  }

  /** The types of the columns, as a user would write them down. */
  private static Map<String, String> columns(CorpusTable recorded) {
    return switch (recorded) {
      case BASIC, BASIC_KEEPNULL -> specs(CorpusTable.BASIC_SCHEMAS);
      case TYPES -> specs(CorpusTable.TYPES_SCHEMAS);
      case ACCOUNTS -> Map.of("id", "int", "v", "int", "who", "string", "txn", "int");
      case LOG -> Map.of("id", "int", "acct", "int", "msg", "string");
      case TOAST, TOAST_FULL ->
          Map.ofEntries(
              Map.entry("id", "int"),
              Map.entry("small", "int"),
              Map.entry("t", "string"),
              Map.entry("t_nn", "string"),
              Map.entry("b", "binary"),
              Map.entry("j", "string"),
              Map.entry("js", "string"),
              Map.entry("h", "string"),
              Map.entry("a", "list<string>"),
              Map.entry("ai", "list<int>"),
              Map.entry("al", "list<long>"),
              Map.entry("u", "list<uuid>"),
              Map.entry("n", "string(decimal)"));
      case ITEMS -> Map.of("id", "int", "name", "string", "stock", "int", "ver", "int");
      case TWICE -> Map.of("id", "int", "name", "string", "bal", "decimal(10, 2)");
      case MARIADB ->
          Map.of(
              "id", "long",
              "customer", "string",
              "amount", "decimal(12, 2)",
              "qty", "int",
              "status", "string",
              "note", "string",
              "placed_on", "date",
              "updated_at", "timestamptz");
      default -> Map.of();
    };
  }

  private static Map<String, String> specs(CorpusTable withSchemas) {
    RawEvent first = withSchemas.load().events().get(0);
    RawRecord record =
        new RawRecord(
            new SourceOffset(first.topic(), 0, 0), 0, first.key(), first.value(), new HashMap<>());
    Discovered found = (Discovered) new ShapeReader(List.of(), Map.of()).read(record);
    Map<String, String> specs = new TreeMap<>();
    for (Column column : found.shape().columns()) {
      specs.put(column.name(), found.spec(column.name()));
    }
    return specs;
  }
}
