package io.tidemark.flink;

import io.tidemark.change.SourceOffset;
import io.tidemark.debezium.RawRecord;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The record as it was, with headers that say where it was, what its version follows from and why
 * it is here: {@link LetterHeaders}.
 */
public final class DeadLetterSchema implements KafkaRecordSerializationSchema<DeadLetter> {
  private static final long serialVersionUID = 1L;

  private final String topic;
  private final HashMap<String, String> topicIds;

  /**
   * For the topic that takes the letters.
   *
   * @param topicIds Kafka's own ids of the topics that are read, as far as they are known
   */
  public DeadLetterSchema(String topic, Map<String, String> topicIds) {
    this.topic = topic;
    this.topicIds = new HashMap<>(topicIds);
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      DeadLetter letter, KafkaSinkContext context, Long timestamp) {
    RawRecord record = letter.record();
    ProducerRecord<byte[], byte[]> out = new ProducerRecord<>(topic, record.key(), record.value());
    record.headers().forEach((name, value) -> out.headers().add(name, value));
    SourceOffset at = record.at();
    header(out, LetterHeaders.TOPIC, at.topic());
    header(out, LetterHeaders.TOPIC_ID, topicIds.get(at.topic()));
    header(out, LetterHeaders.PARTITION, Integer.toString(at.partition()));
    header(out, LetterHeaders.OFFSET, Long.toString(at.offset()));
    header(out, LetterHeaders.TIMESTAMP, Long.toString(record.timestampMillis()));
    header(out, LetterHeaders.RANKS, letter.ranks());
    header(out, LetterHeaders.PROBLEM, letter.problem());
    return out;
  }

  private static void header(
      ProducerRecord<byte[], byte[]> out, String name, @Nullable String value) {
    if (value != null) {
      out.headers().add(name, value.getBytes(StandardCharsets.UTF_8));
    }
  }
}
