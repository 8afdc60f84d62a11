package io.tidemark.sandbox;

import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.SimpleHeaderConverter;

/** From Connect's records to Kafka's, in the way of a Connect worker with JSON converters. */
final class RecordWire {

  private final JsonConverter keys = new JsonConverter();
  private final JsonConverter values = new JsonConverter();
  private final SimpleHeaderConverter headers = new SimpleHeaderConverter();

  RecordWire(boolean schemas) {
    Map<String, Object> settings =
        Map.of(
            "schemas.enable",
            schemas,
            // Connect's default turns a NULL into the column's default, which no reader can undo.
            "replace.null.with.default",
            false);
    keys.configure(settings, true);
    values.configure(settings, false);
  }

  static Producer<byte[], byte[]> producer(EmbeddedKafka kafka) {
    return new KafkaProducer<>(
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            kafka.bootstrapServers(),
            ProducerConfig.ACKS_CONFIG,
            "all",
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
            true,
            ProducerConfig.COMPRESSION_TYPE_CONFIG,
            "lz4",
            ProducerConfig.BATCH_SIZE_CONFIG,
            256 * 1024,
            ProducerConfig.LINGER_MS_CONFIG,
            5,
            ProducerConfig.MAX_BLOCK_MS_CONFIG,
            10_000),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  ProducerRecord<byte[], byte[]> encode(SourceRecord record) {
    ProducerRecord<byte[], byte[]> encoded =
        new ProducerRecord<>(
            record.topic(),
            null,
            keys.fromConnectData(record.topic(), record.keySchema(), record.key()),
            values.fromConnectData(record.topic(), record.valueSchema(), record.value()));
    for (Header header : record.headers()) {
      encoded
          .headers()
          .add(
              header.key(),
              headers.fromConnectHeader(
                  record.topic(), header.key(), header.schema(), header.value()));
    }
    return encoded;
  }
}
