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
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * A connector that writes to Kafka what Kafka Connect would write, until it is killed. It runs in a
 * process of its own, perhaps with another version of Debezium, and so needs nothing of ours.
 */
final class ConnectorMain {

  /** Where Kafka is; all other properties are the connector's. */
  static final String BOOTSTRAP_SERVERS = "tidemark.bootstrap.servers";

  /** A pattern: a record whose {@link #line} has it is the last, and its offset is stored. */
  static final String STOP_AT = "tidemark.stop.at";

  /** A pattern: where a record's {@link #line} has it Kafka is slow for once. */
  static final String PAUSE_AT = "tidemark.pause.at";

  private static final long PAUSE_MILLIS = 4_000;
  private static final Pattern NEVER = Pattern.compile("(?!)");

  private final Pattern stopAt;
  private Pattern pauseAt;
  private final JsonConverter keys = new JsonConverter();
  private final JsonConverter values = new JsonConverter();
  private final KafkaProducer<byte[], byte[]> producer;

  private ConnectorMain(String bootstrapServers, Object stopAt, Object pauseAt) {
    this.stopAt = pattern(stopAt);
    this.pauseAt = pattern(pauseAt);
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
        new ConnectorMain(
            String.valueOf(properties.remove(BOOTSTRAP_SERVERS)),
            properties.remove(STOP_AT),
            properties.remove(PAUSE_AT));
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

  private static Pattern pattern(Object text) {
    return text == null ? NEVER : Pattern.compile(text.toString());
  }

  private static boolean has(List<RecordChangeEvent<SourceRecord>> batch, Pattern pattern) {
    return batch.stream().anyMatch(event -> pattern.matcher(line(event.record())).find());
  }

  /** Such as {@code d 5 of 0-1-7, {event=4, gtids=0-1-6, row=1}}: change, key, GTID, offset. */
  private static String line(SourceRecord record) {
    Object id = record.key() instanceof Struct key ? key.get(key.schema().fields().get(0)) : null;
    boolean change =
        record.value() instanceof Struct value && value.schema().field("source") != null;
    Struct value = change ? (Struct) record.value() : null;
    return (change ? value.get("op") : "-")
        + (" " + id + " of ")
        + (change ? value.getStruct("source").get("gtid") : "-")
        + (", " + new TreeMap<>(record.sourceOffset()));
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
    if (has(batch, pauseAt)) {
      pauseAt = NEVER;
      Thread.sleep(PAUSE_MILLIS);
    }
    for (RecordChangeEvent<SourceRecord> event : batch) {
      committer.markProcessed(event);
    }
    committer.markBatchFinished();
    if (has(batch, stopAt)) {
      Runtime.getRuntime().halt(0);
    }
  }
}
