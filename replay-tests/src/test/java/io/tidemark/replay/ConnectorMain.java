package io.tidemark.replay;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * A connector that writes to Kafka what Kafka Connect would write, until it is killed. It runs in a
 * process of its own, perhaps with another version of Debezium, and so needs nothing of ours.
 */
final class ConnectorMain {

  /** Where Kafka is; all other properties are the connector's. */
  static final String BOOTSTRAP_SERVERS = "tidemark.bootstrap.servers";

  private final JsonConverter keys = new JsonConverter();
  private final JsonConverter values = new JsonConverter();
  private final KafkaProducer<byte[], byte[]> producer;

  private ConnectorMain(String bootstrapServers) {
    Map<String, Object> settings =
        Map.of("schemas.enable", true, "replace.null.with.default", false);
    keys.configure(settings, true);
    values.configure(settings, false);
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers, "linger.ms", 2),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  /** Runs until the process is killed; fails when the connector does. */
  public static void main(String[] arguments) throws Exception {
    Properties properties = new Properties();
    try (Reader file = Files.newBufferedReader(Path.of(arguments[0]))) {
      properties.load(file);
    }
    ConnectorMain connector =
        new ConnectorMain(String.valueOf(properties.remove(BOOTSTRAP_SERVERS)));
    try (DebeziumEngine<RecordChangeEvent<SourceRecord>> engine =
        DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
            .using(properties)
            .using(
                (success, message, error) -> {
                  System.err.println("Ended: " + message);
                  if (error != null) {
                    error.printStackTrace();
                  }
                  System.err.flush();
                  Runtime.getRuntime().halt(1);
                })
            .notifying(connector::ship)
            .build()) {
      engine.run();
    }
  }

  private void ship(
      List<RecordChangeEvent<SourceRecord>> batch,
      RecordCommitter<RecordChangeEvent<SourceRecord>> committer)
      throws InterruptedException {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (RecordChangeEvent<SourceRecord> event : batch) {
      SourceRecord record = event.record();
      sent.add(
          producer.send(
              new ProducerRecord<>(
                  record.topic(),
                  keys.fromConnectData(record.topic(), record.keySchema(), record.key()),
                  values.fromConnectData(record.topic(), record.valueSchema(), record.value()))));
    }
    producer.flush();
    for (Future<RecordMetadata> one : sent) {
      try {
        one.get();
      } catch (ExecutionException e) {
        throw new IllegalStateException("Kafka did not take a change", e);
      }
    }
    for (RecordChangeEvent<SourceRecord> event : batch) {
      committer.markProcessed(event);
    }
    committer.markBatchFinished();
  }
}
