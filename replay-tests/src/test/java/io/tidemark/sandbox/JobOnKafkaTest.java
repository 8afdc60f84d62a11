package io.tidemark.sandbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.commit.RecordCodec;
import io.tidemark.commit.StartOffsets;
import io.tidemark.commit.UnavailableException;
import io.tidemark.config.ConfigException;
import io.tidemark.config.Settings;
import io.tidemark.job.JobFailedException;
import io.tidemark.job.KafkaTopics;
import io.tidemark.job.LocalJob;
import io.tidemark.job.RunOptions;
import io.tidemark.job.TestJob;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.hadoop.HadoopCatalog;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole job on a broker and a catalog, where only the broker's behavior makes the case. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JobOnKafkaTest {
  private static final String TOPIC = "shop.public.items";

  @TempDir Path dir;
  private EmbeddedKafka kafka;

  @BeforeEach
  void startKafka() {
    kafka = EmbeddedKafka.start(dir.resolve("kafka"));
  }

  @AfterEach
  void stopKafka() {
    kafka.close();
  }

  @Test
  void commitsOnTheWayThoughOneReaderHasNothingToRead() throws Exception {
    kafka.createTopic(TOPIC, 1);
    try (Producer<byte[], byte[]> producer = producer(Map.of("batch.size", "0"))) {
      for (int i = 0; i < 20_000; i++) {
        producer.send(upsert(i, i + 1));
      }
    }

    catchUp("max.poll.records: '1'"); // so slowly that checkpoints come meanwhile

    assertThat(rows()).hasSize(20_000);
    assertThat(records()).hasSizeGreaterThan(1);
  }

  @Test
  void aJobThatWasCanceledInFlinksWebUiDidNotEndWell() throws Exception {
    kafka.createTopic(TOPIC, 1);
    try (LocalJob job = LocalJob.start(settings(""), RunOptions.streaming())) {
      HttpClient web = HttpClient.newHttpClient();
      Matcher id =
          Pattern.compile("\"id\":\"([0-9a-f]{32})\"").matcher(get(web, job.webUi() + "/jobs"));
      assertThat(id.find()).isTrue();
      web.send(
          HttpRequest.newBuilder(URI.create(job.webUi() + "/jobs/" + id.group(1)))
              .method("PATCH", HttpRequest.BodyPublishers.noBody())
              .build(),
          HttpResponse.BodyHandlers.discarding());

      assertThatThrownBy(job::await)
          .isInstanceOf(JobFailedException.class)
          .hasMessageContaining("canceled");
    }
  }

  @Test
  void theRecordReachesTheEndOfAPartitionThatEndsWithATransactionsMarker() throws Exception {
    kafka.createTopic(TOPIC, 2);
    try (Producer<byte[], byte[]> producer = producer(Map.of("transactional.id", "t"))) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(upsert(1, 1));
      producer.commitTransaction();
      producer.beginTransaction();
      producer.send(upsert(2, 2)).get();
      producer.abortTransaction();
    }
    awaitMarks(4);

    catchUp("");

    assertThat(rows()).containsExactly(1L);
    assertThat(records().get(0).summary().get("tidemark.offsets"))
        .contains("\"0\":" + kafka.endOffsets(TOPIC).get(0));
  }

  @Test
  void aTailOfMarkersThatKafkaRemovedIsNoGap() throws Exception {
    kafka.createTopic(TOPIC, 1);
    try (Producer<byte[], byte[]> producer = producer(Map.of("transactional.id", "t"));
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(upsert(1, 1));
      producer.commitTransaction();
      awaitMarks(2);
      catchUp("");
      admin
          .deleteRecords(
              Map.of(
                  new TopicPartition(TOPIC, 0),
                  RecordsToDelete.beforeOffset(kafka.endOffsets(TOPIC).get(0))))
          .all()
          .get();
      producer.beginTransaction();
      producer.send(upsert(2, 2));
      producer.commitTransaction();
    }
    awaitMarks(4);

    catchUp("");

    assertThat(rows()).containsExactlyInAnyOrder(1L, 2L);
  }

  /** A producer returns when the end of its transaction is decided; the mark comes after that. */
  private void awaitMarks(long end) throws Exception {
    TestJob.await("the marks", () -> kafka.endOffsets(TOPIC).get(0) == end);
  }

  @Test
  void aSearchThroughATopicEndsWhenTheBrokerGoesAway() throws Exception {
    kafka.createTopic(TOPIC, 1);
    try (Producer<byte[], byte[]> producer = producer(Map.of("batch.size", "0"))) {
      for (int i = 0; i < 100; i++) {
        producer.send(upsert(i, i + 1));
      }
    }
    try (KafkaTopics topics =
        new KafkaTopics(
            settings("max.poll.records: '1', max.partition.fetch.bytes: '1'").kafka())) {
      Map<io.tidemark.change.TopicPartition, StartOffsets.Range> ranges =
          topics.topic(TOPIC).ranges();

      assertThatThrownBy(
              () ->
                  topics.search(
                      ranges,
                      record -> {
                        if (record.at().offset() == 0) {
                          kafka.close();
                        }
                        return false;
                      }))
          .isInstanceOf(UnavailableException.class);
    }
  }

  @Test
  void aSnapshotInAPartitionThatCameBetweenTwoRunsIsRefused() throws Exception {
    kafka.createTopic(TOPIC, 1);
    try (Producer<byte[], byte[]> producer = producer(Map.of());
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      producer.send(upsert(1, 1)).get();
      catchUp("");
      admin.createPartitions(Map.of(TOPIC, NewPartitions.increaseTo(2))).all().get();
    }
    catchUp(""); // the table now knows the partition, but nothing of what its keys were before
    try (Producer<byte[], byte[]> producer = producer(Map.of())) {
      String row = new String(upsert(1, 9).value(), UTF_8).replace("\"op\":\"c\"", "\"op\":\"r\"");
      producer.send(new ProducerRecord<>(TOPIC, 1, upsert(1, 9).key(), row.getBytes(UTF_8))).get();
    }

    assertThatThrownBy(() -> catchUp(""))
        .isInstanceOf(JobFailedException.class)
        .hasMessageContaining("this partition came after the table had been read from others");
  }

  @Test
  void changesOfARowThatMayLieInSeveralPartitionsStopTheJob() throws Exception {
    kafka.createTopic(TOPIC, 2);
    try (Producer<byte[], byte[]> producer = producer(Map.of())) {
      producer.send(upsert(1, 7)).get();
    }
    assertThatThrownBy(() -> catchUp("", "key: [qty]"))
        .hasMessageContaining("partition 0, offset 0: message key: expected no other columns");
  }

  @Test
  void aCompactedTopicIsNotReadUnlessAllowed() throws Exception {
    kafka.createTopic(TOPIC, 1);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin
          .incrementalAlterConfigs(
              Map.of(
                  new ConfigResource(ConfigResource.Type.TOPIC, TOPIC),
                  List.of(
                      new AlterConfigOp(
                          new ConfigEntry("cleanup.policy", "compact"), AlterConfigOp.OpType.SET))))
          .all()
          .get();
    }

    assertThatThrownBy(() -> catchUp(""))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("kafka.allow-compacted");
  }

  @Test
  void aMalformedMessageStopsTheJobBeforeALaterOffsetIsRecorded() throws Exception {
    kafka.createTopic(TOPIC, 1);
    try (Producer<byte[], byte[]> producer = producer(Map.of())) {
      producer.send(upsert(1, 1)).get();
      producer.send(new ProducerRecord<>(TOPIC, 0, key(2), "no JSON".getBytes(UTF_8))).get();
      producer.send(upsert(3, 3)).get();
    }

    assertThatThrownBy(() -> catchUp(""))
        .isInstanceOf(JobFailedException.class)
        .hasMessageContaining("topic shop.public.items, partition 0, offset 1: ");

    // A checkpoint may come before the first record.
    for (Snapshot record : records()) {
      assertThat(record.summary().get("tidemark.offsets")).containsAnyOf("{\"0\":0}", "{\"0\":1}");
    }
  }

  @Test
  void aMalformedMessageGoesToTheDeadLettersAndTheJobGoesOn() throws Exception {
    kafka.createTopic(TOPIC, 1);
    kafka.createTopic("dead", 1);
    try (Producer<byte[], byte[]> producer = producer(Map.of())) {
      producer.send(upsert(1, 1)).get();
      producer.send(new ProducerRecord<>(TOPIC, 0, key(2), "no JSON".getBytes(UTF_8))).get();
      producer.send(upsert(3, 3)).get();
    }

    try (LocalJob job =
        LocalJob.start(
            settings("", "errors: {policy: dead-letter, topic: dead}"), RunOptions.catchUp())) {
      job.await();
    }

    assertThat(rows()).containsExactlyInAnyOrder(1L, 3L);
    List<ConsumerRecord<byte[], byte[]>> letters = TopicLog.read(kafka, "dead");
    assertThat(letters).hasSize(1);
    assertThat(letters.get(0).value()).isEqualTo("no JSON".getBytes(UTF_8));
    assertThat(header(letters.get(0), "tidemark.topic")).isEqualTo(TOPIC);
    assertThat(header(letters.get(0), "tidemark.partition")).isEqualTo("0");
    assertThat(header(letters.get(0), "tidemark.offset")).isEqualTo("1");
    assertThat(header(letters.get(0), "tidemark.problem")).isNotBlank();
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
  }

  private static byte[] key(long id) {
    return ("{\"id\":" + id + "}").getBytes(UTF_8);
  }

  private static String get(HttpClient web, String address) throws Exception {
    return web.send(
            HttpRequest.newBuilder(URI.create(address)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private void catchUp(String consumer) throws Exception {
    catchUp(consumer, "key: [id]");
  }

  private void catchUp(String consumer, String key) throws Exception {
    Settings settings = settings(consumer, "", key);
    try (LocalJob job = LocalJob.start(settings, RunOptions.catchUp())) {
      job.await();
    }
  }

  private Settings settings(String consumer) {
    return settings(consumer, "");
  }

  private Settings settings(String consumer, String more) {
    return settings(consumer, more, "key: [id]");
  }

  private Settings settings(String consumer, String more, String key) {
    return Settings.parse(
        """
        name: items
        kafka:
          bootstrap.servers: %s
          topics: ['%s']
          properties: {%s}
        catalog:
          name: lake
          properties: {type: hadoop, warehouse: '%s'}
        routes:
          - topics: '.*'
            table: shop.items
            %s
            columns: {id: long, qty: int}
        flink: {parallelism.default: '2', execution.checkpointing.interval: 200ms}
        %s
        """
            .formatted(
                kafka.bootstrapServers(), TOPIC, consumer, dir.resolve("lake").toUri(), key, more),
        Map.of());
  }

  private Producer<byte[], byte[]> producer(Map<String, Object> more) {
    Map<String, Object> properties = new HashMap<>(more);
    properties.put("bootstrap.servers", kafka.bootstrapServers());
    return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static ProducerRecord<byte[], byte[]> upsert(long id, long lsn) {
    return new ProducerRecord<>(
        TOPIC,
        0,
        ("{\"id\":" + id + "}").getBytes(UTF_8),
        """
        {"before":null,"after":{"id":%d,"qty":%d},"op":"c","source":{"connector":"postgresql",\
        "snapshot":"false","ts_ms":1000,"sequence":"[\\"%d\\",\\"%d\\"]","lsn":%d}}"""
            .formatted(id, lsn, lsn - 1, lsn, lsn)
            .getBytes(UTF_8));
  }

  private List<Long> rows() throws Exception {
    List<Long> ids = new ArrayList<>();
    try (HadoopCatalog catalog = catalog();
        CloseableIterable<Record> rows =
            IcebergGenerics.read(catalog.loadTable(TableIdentifier.of("shop", "items"))).build()) {
      rows.forEach(row -> ids.add((Long) row.getField("id")));
    }
    return ids;
  }

  /** The snapshots that carry a record. */
  private List<Snapshot> records() throws Exception {
    try (HadoopCatalog catalog = catalog()) {
      Table table = catalog.loadTable(TableIdentifier.of("shop", "items"));
      List<Snapshot> records = new ArrayList<>();
      for (Snapshot snapshot : table.snapshots()) {
        if (RecordCodec.isRecord(snapshot.summary())) {
          records.add(snapshot);
        }
      }
      return records;
    }
  }

  private HadoopCatalog catalog() {
    return new HadoopCatalog(new Configuration(), dir.resolve("lake").toUri().toString());
  }
}
