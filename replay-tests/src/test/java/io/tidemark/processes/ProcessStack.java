package io.tidemark.processes;

import io.tidemark.oracle.Invariants;
import io.tidemark.oracle.Offsets;
import io.tidemark.oracle.OracleOptions;
import io.tidemark.oracle.RawEvent;
import io.tidemark.oracle.RawLog;
import io.tidemark.oracle.TableCheck;
import io.tidemark.sandbox.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * A broker and a catalog server, each in a process of its own, and the proxies by which jobs reach
 * them. The test itself reaches them directly.
 */
final class ProcessStack implements AutoCloseable {
  static final int PARTITIONS = 3;

  private static final int[] AHEAD_MINUTES = {0, -24 * 60, 50};

  private final Path dir;
  private final BrokerProcess broker;
  private final TcpProxy brokerProxy;
  private final CatalogServer catalogServer;
  private final CatalogProxy catalogProxy;
  private final String brokerAddress;
  private @Nullable Catalog catalog;

  private ProcessStack(Path dir) throws IOException {
    this.dir = dir;
    int brokerProxyPort = Ports.free();
    this.broker =
        BrokerProcess.start(Files.createDirectories(dir.resolve("broker")), brokerProxyPort);
    this.brokerProxy = TcpProxy.start(brokerProxyPort, broker.proxiedPort());
    this.brokerAddress = "127.0.0.1:" + brokerProxyPort;
    this.catalogServer = CatalogServer.start(Files.createDirectories(dir.resolve("catalog")));
    this.catalogProxy = CatalogProxy.start(catalogServer.port());
  }

  static ProcessStack start(Path dir) {
    try {
      return new ProcessStack(dir);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path dir() {
    return dir;
  }

  /** Where checkpoints and savepoints of all clusters go. */
  Path storage() {
    return dir.resolve("storage");
  }

  BrokerProcess broker() {
    return broker;
  }

  TcpProxy brokerProxy() {
    return brokerProxy;
  }

  CatalogServer catalogServer() {
    return catalogServer;
  }

  CatalogProxy catalogProxy() {
    return catalogProxy;
  }

  /** The configuration of the job of one topic, which has a table of its name. */
  Path config(String topic) {
    try {
      return Files.writeString(
          dir.resolve(topic + ".yaml"),
          """
          name: job-%1$s
          kafka:
            bootstrap.servers: %2$s
            topics: ['%1$s']
            properties:
              request.timeout.ms: 5000
              default.api.timeout.ms: 20000
              max.partition.fetch.bytes: 65536 # which a slow broker has sent before the timeout
          catalog:
            name: lake
            properties:
              type: rest
              uri: '%3$s'
              rest.client.connection-timeout-ms: 3000
              rest.client.socket-timeout-ms: 5000
          routes:
            - topics: '%1$s'
              table: lake.%1$s
              partition: [region]
          flink:
            execution.checkpointing.interval: 500ms
          """
              .formatted(topic, brokerAddress, catalogProxy.uri()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Sends records into the partitions that they name, and waits until Kafka has them. Each
   * partition's come by another clock: one is right, one a day behind, and one far ahead, less than
   * the hour that brokers allow.
   */
  void produce(String topic, Collection<RawEvent> events) {
    Map<String, Object> properties =
        Map.of("bootstrap.servers", broker.bootstrapServers(), "delivery.timeout.ms", 120_000);
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (RawEvent event : events) {
        ProducerRecord<byte[], byte[]> record =
            new ProducerRecord<>(
                topic,
                event.partition(),
                System.currentTimeMillis() + AHEAD_MINUTES[event.partition()] * 60_000L,
                event.key(),
                event.value());
        event
            .headers()
            .forEach(
                (name, value) ->
                    record.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
        sent.add(producer.send(record));
      }
      for (Future<RecordMetadata> one : sent) {
        one.get();
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException("Not all records were sent", e);
    }
  }

  RawLog log(String topic) {
    return RawLog.read(broker.bootstrapServers(), List.of(topic));
  }

  Table table(String name) {
    if (catalog == null) {
      catalog =
          CatalogUtil.buildIcebergCatalog(
              "lake",
              Map.of("type", "rest", "uri", "http://127.0.0.1:" + catalogServer.port()),
              new Configuration());
    }
    return catalog.loadTable(TableIdentifier.of("lake", name));
  }

  /** Where the table's record ends; nothing if there is no table yet, or no catalog. */
  Offsets recorded(String topic) {
    try {
      return TableCheck.lastOffsets(table(topic));
    } catch (NoSuchTableException e) {
      return Offsets.NONE;
    }
  }

  /** How many commits the table has. */
  int commits(String topic) {
    int commits = 0;
    try {
      for (Snapshot snapshot : table(topic).snapshots()) {
        commits += snapshot.summary().containsKey("tidemark.commit-id") ? 1 : 0;
      }
    } catch (NoSuchTableException e) {
      return 0;
    }
    return commits;
  }

  /** What must hold of the table, whatever happened. */
  Invariants invariants(String topic) {
    return new Invariants(
        table(topic), table(topic + "__tombstones"), OracleOptions.DEFAULT, () -> log(topic));
  }

  @Override
  public void close() {
    catalogProxy.close();
    brokerProxy.close();
    catalogServer.close();
    broker.close();
  }
}
