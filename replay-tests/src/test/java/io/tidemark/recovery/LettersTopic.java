package io.tidemark.recovery;

import static io.tidemark.recovery.OrdersTopic.envelope;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.oracle.LogFormat;
import io.tidemark.oracle.Offsets;
import io.tidemark.oracle.Oracle;
import io.tidemark.oracle.OracleOptions;
import io.tidemark.oracle.OracleRow;
import io.tidemark.oracle.OracleTable;
import io.tidemark.oracle.OracleVersion;
import io.tidemark.oracle.RawEvent;
import io.tidemark.oracle.RawLog;
import io.tidemark.recovery.OrdersTopic.Outcome;
import io.tidemark.sandbox.EmbeddedKafka;
import io.tidemark.sandbox.TopicLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** A topic, what its records should have been, its table, and its dead letters. */
final class LettersTopic implements AutoCloseable {
  static final String BROKEN = "no JSON";

  final OrdersTopic orders;
  private final EmbeddedKafka kafka;
  private final Path directory;

  /** What the records of the log should have been, by offset; null for none. */
  final Map<Long, @Nullable String> right = new TreeMap<>();

  private final Map<Long, Long> ids = new TreeMap<>();

  /** Creates both topics. */
  LettersTopic(EmbeddedKafka kafka, String name, Path directory) {
    this.kafka = kafka;
    this.directory = directory;
    this.orders = new OrdersTopic(kafka, name, directory);
    kafka.createTopic(name + ".dead", 1);
  }

  static String row(String op, long id, String note, long lsn, String at) {
    String after = "{\"id\":%d,\"note\":\"%s\",\"at\":%s}".formatted(id, note, at);
    String text = envelope(op, "null", after, lsn, lsn / 100);
    return op.equals("r") ? text.replace("\"snapshot\":\"false\"", "\"snapshot\":\"true\"") : text;
  }

  static String snapshotRow(long id, String note, long lsn) {
    return row("r", id, note, lsn, "null");
  }

  void good(long id, String value) throws Exception {
    send(id, value, value);
  }

  /** Sends what cannot be decoded in place of what is right. */
  void bad(long id, @Nullable String value) throws Exception {
    send(id, BROKEN, value);
  }

  private void send(long id, String value, @Nullable String meant) throws Exception {
    long offset = right.size();
    ids.put(offset, id);
    right.put(offset, meant);
    orders.send(OrdersTopic.record(orders.name, 0, null, id, value));
  }

  /** Writes a correction with the headers of the job's letter. */
  void correct(long offset, long id, @Nullable String value) throws Exception {
    ProducerRecord<byte[], byte[]> record =
        OrdersTopic.record(orders.name + ".dead", 0, null, id, value);
    for (Header header : ofJob(offset).headers()) {
      if (!header.key().equals("tidemark.problem")) {
        record.headers().add(header);
      }
    }
    orders.send(record);
  }

  void drop(long offset) throws Exception {
    Map<String, String> headers = place(orders.name, "0", Long.toString(offset));
    headers.put("tidemark.drop", "");
    orders.send(letter(headers, 0, null));
  }

  static Map<String, String> place(String topic, String partition, String offset) {
    Map<String, String> headers = new TreeMap<>();
    headers.put("tidemark.topic", topic);
    headers.put("tidemark.partition", partition);
    headers.put("tidemark.offset", offset);
    return headers;
  }

  ProducerRecord<byte[], byte[]> letter(
      Map<String, String> headers, long id, @Nullable String value) {
    ProducerRecord<byte[], byte[]> record =
        OrdersTopic.record(orders.name + ".dead", 0, null, id, value);
    headers.forEach((name, text) -> record.headers().add(name, text.getBytes(UTF_8)));
    return record;
  }

  private ConsumerRecord<byte[], byte[]> ofJob(long offset) {
    return TopicLog.read(kafka, orders.name + ".dead").stream()
        .filter(letter -> letter.headers().lastHeader("tidemark.problem") != null)
        .filter(
            letter ->
                new String(letter.headers().lastHeader("tidemark.offset").value(), UTF_8)
                    .equals(Long.toString(offset)))
        .findFirst()
        .orElseThrow();
  }

  void copyLetters() throws Exception {
    for (ConsumerRecord<byte[], byte[]> letter : TopicLog.read(kafka, orders.name + ".dead")) {
      if (letter.headers().lastHeader("tidemark.problem") != null) {
        orders.send(
            new ProducerRecord<>(
                letter.topic(), 0, null, letter.key(), letter.value(), letter.headers()));
      }
    }
  }

  Path file(String unrepresentable) throws IOException {
    String yaml =
        orders.yaml().replace("note: string}", "note: string, at: timestamptz}")
            + "    on-unrepresentable: '"
            + unrepresentable
            + "'\nerrors: {policy: dead-letter, topic: "
            + orders.name
            + ".dead}\n";
    return Files.writeString(directory.resolve(orders.name + ".yaml"), yaml);
  }

  Outcome type(String unrepresentable, String... words) throws IOException {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(1, List.of("-c", file(unrepresentable).toString()));
    return orders.type(all.toArray(String[]::new));
  }

  int run(String unrepresentable, String... more) throws IOException {
    List<String> all = new ArrayList<>(List.of("run", "--until", "caught-up"));
    all.addAll(List.of(more));
    return type(unrepresentable, all.toArray(String[]::new)).exit();
  }

  /**
   * By the second implementation of the rule, which knows nothing of letters, and by a job that
   * reads what the log should have been: same rows, same versions, same tombstones.
   */
  void assertIsAsOfTheRightLog(String name) throws Exception {
    List<RawEvent> events = new ArrayList<>();
    for (RawEvent event : orders.log().events()) {
      String meant = right.get(event.offset());
      events.add(
          new RawEvent(
              event.topic(),
              event.partition(),
              event.offset(),
              event.key(),
              meant == null ? null : meant.getBytes(UTF_8),
              event.headers()));
    }
    OracleOptions options =
        new OracleOptions(
            "auto",
            List.of("id"),
            new ObjectMapper()
                .readTree(
                    """
                    [{"field":"id","type":"int64"},{"field":"note","type":"string","optional":true},
                     {"field":"at","type":"string","name":"io.debezium.time.ZonedTimestamp"}]"""),
            true,
            "",
            LogFormat.JSON);
    Oracle oracle = new Oracle(options, RawLog.of(events), Offsets.NONE);
    OracleTable expected = oracle.fold(RawLog.of(events).end());
    assertThat(versions(orders.table()))
        .isEqualTo(versions(expected.live(), row -> " " + row.row().get("note")));
    assertThat(versions(orders.tombstones())).isEqualTo(versions(expected.deleted(), row -> ""));

    Path place = Files.createDirectories(directory.resolve(name));
    try (OrdersTopic other = new OrdersTopic(kafka, name, place)) {
      for (Map.Entry<Long, @Nullable String> event : right.entrySet()) {
        long id = ids.get(event.getKey());
        other.send(OrdersTopic.record(name, 0, null, id, event.getValue()));
      }
      Path file =
          Files.writeString(
              place.resolve("fresh.yaml"),
              other.yaml().replace("note: string}", "note: string, at: timestamptz}")
                  + "    on-unrepresentable: 'null'\n");
      assertThat(other.type("run", "-c", file.toString(), "--until", "caught-up").exit()).isZero();
      assertThat(all(orders)).isEqualTo(all(other));
    }
  }

  private static Map<Long, String> versions(
      Map<Map<String, Object>, OracleRow> rows, Function<OracleRow, String> more) {
    Map<Long, String> versions = new TreeMap<>();
    rows.forEach((key, row) -> versions.put((Long) key.get("id"), row.version() + more.apply(row)));
    return versions;
  }

  private static Map<Long, String> versions(Table table) throws IOException {
    Map<Long, String> versions = new TreeMap<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
      for (Record record : records) {
        boolean noted = table.schema().findField("note") != null;
        versions.merge(
            (Long) record.getField("id"),
            OracleVersion.parse(record.getField("_commit_version").toString())
                + (noted ? " " + record.getField("note") : ""),
            String::concat);
      }
    }
    return versions;
  }

  private static List<String> all(OrdersTopic topic) throws IOException {
    List<String> rows = new ArrayList<>();
    for (Table table : List.of(topic.table(), topic.tombstones())) {
      try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
        records.forEach(record -> rows.add(table.name() + record));
      }
    }
    rows.sort(null);
    return rows;
  }

  void keepCopy() throws IOException {
    copy(directory.resolve("lake/shop/orders"), directory.resolve("copy"));
  }

  void putBack() throws IOException {
    Path table = directory.resolve("lake/shop/orders");
    try (var paths = Files.walk(table)) {
      for (Path path : paths.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
    copy(directory.resolve("copy"), table);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (var paths = Files.walk(from)) {
      for (Path path : paths.toList()) {
        Files.copy(path, to.resolve(from.relativize(path).toString()));
      }
    }
  }

  /** All that is in the table and its tombstones. */
  List<String> all() throws IOException {
    return all(orders);
  }

  @Override
  public void close() {
    orders.close();
  }
}
