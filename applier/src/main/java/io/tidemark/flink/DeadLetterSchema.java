package io.tidemark.flink;

import io.tidemark.change.SourceOffset;
import io.tidemark.debezium.RawRecord;
import io.tidemark.failure.BadEventException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * The record as it was, with headers that say where it was, what its version follows from and why
 * it is here: {@link LetterHeaders}.
 */
public final class DeadLetterSchema implements KafkaRecordSerializationSchema<DeadLetter> {
  private static final long serialVersionUID = 1L;

  /** Of a batch in Kafka's message format, version 2. */
  private static final int BATCH_HEAD_BYTES = 61;

  private static final int LENGTH_BYTES = 5;

  /** Attributes, time, and the lengths of the record, its offset, key, value and headers. */
  private static final int RECORD_HEAD_BYTES = 1 + 10 + 5 * LENGTH_BYTES;

  private final String topic;
  private final HashMap<String, String> topicIds;
  private final int maxBytes;

  /**
   * For the topic that takes the letters.
   *
   * @param topicIds Kafka's own ids of the topics that are read, as far as they are known
   * @param maxBytes how large a batch of one record may be, before compression
   */
  public DeadLetterSchema(String topic, Map<String, String> topicIds, int maxBytes) {
    this.topic = topic;
    this.maxBytes = maxBytes;
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
    requireFits(letter, out);
    return out;
  }

  /**
   * The producer's own refusal would not say which record it is, and comes again in each restart.
   */
  private void requireFits(DeadLetter letter, ProducerRecord<byte[], byte[]> out) {
    long bytes = batchBytes(out);
    if (bytes > maxBytes) {
      throw new SuppressRestartsException(
          new BadEventException(
              letter.record().at(),
              "the record cannot be put aside: with the headers of a dead letter it has "
                  + bytes
                  + " bytes, and topic "
                  + topic
                  + " takes "
                  + maxBytes
                  + ". Raise that topic's max.message.bytes (and max.request.size in"
                  + " kafka.properties, if it is there) and run again: the job goes on at this"
                  + " record. It is to be put aside because of this: "
                  + letter.problem()));
    }
  }

  /** At most; each length of Kafka's record format takes up to five bytes. */
  private static long batchBytes(ProducerRecord<byte[], byte[]> record) {
    long bytes =
        (long) BATCH_HEAD_BYTES + RECORD_HEAD_BYTES + length(record.key()) + length(record.value());
    for (Header header : record.headers()) {
      bytes += 2L * LENGTH_BYTES + header.key().getBytes(StandardCharsets.UTF_8).length;
      bytes += length(header.value());
    }
    return bytes;
  }

  private static long length(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  private static void header(
      ProducerRecord<byte[], byte[]> out, String name, @Nullable String value) {
    if (value != null) {
      out.headers().add(name, value.getBytes(StandardCharsets.UTF_8));
    }
  }
}
