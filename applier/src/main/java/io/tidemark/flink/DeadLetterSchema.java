package io.tidemark.flink;

import io.tidemark.change.SourceOffset;
import io.tidemark.debezium.RawRecord;
import java.nio.charset.StandardCharsets;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The record as it was, with headers that say where it was and why it is here: {@code
 * tidemark.topic}, {@code tidemark.partition}, {@code tidemark.offset}, {@code tidemark.problem}.
 */
public final class DeadLetterSchema implements KafkaRecordSerializationSchema<DeadLetter> {
  private static final long serialVersionUID = 1L;

  private final String topic;

  /** For the topic that takes the letters. */
  public DeadLetterSchema(String topic) {
    this.topic = topic;
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      DeadLetter letter, KafkaSinkContext context, Long timestamp) {
    RawRecord record = letter.record();
    ProducerRecord<byte[], byte[]> out = new ProducerRecord<>(topic, record.key(), record.value());
    record.headers().forEach((name, value) -> out.headers().add(name, value));
    SourceOffset at = record.at();
    header(out, "tidemark.topic", at.topic());
    header(out, "tidemark.partition", Integer.toString(at.partition()));
    header(out, "tidemark.offset", Long.toString(at.offset()));
    header(out, "tidemark.problem", letter.problem());
    return out;
  }

  private static void header(ProducerRecord<byte[], byte[]> out, String name, String value) {
    out.headers().add(name, value.getBytes(StandardCharsets.UTF_8));
  }
}
