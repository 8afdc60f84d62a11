package io.tidemark.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.TopicPartition;
import io.tidemark.commit.StartOffsets.Range;
import io.tidemark.config.Settings;
import io.tidemark.sandbox.EmbeddedKafka;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where a reader of a real broker's log stands at last. */
@Timeout(120)
class LastReadableTest {
  private static final int COMMITTED = 0;
  private static final int ABORTED = 1;
  private static final int LONG_ABORTED = 2;
  private static final int NOTHING_ELSE = 3;
  private static final int MANY = 250;

  @TempDir private Path directory;

  @Test
  void itIsBehindTheLastRecordAndNotBehindMarks() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory);
        KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "transactional.id", "one"),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
      kafka.createTopic("t", 4);
      producer.initTransactions();
      producer.beginTransaction(); // offset 0 a record, 1 its mark
      for (int partition : new int[] {COMMITTED, ABORTED, LONG_ABORTED}) {
        producer.send(record(partition));
      }
      producer.commitTransaction();
      producer.beginTransaction();
      producer.send(record(ABORTED)); // 2, and 3 for the mark
      producer.send(record(NOTHING_ELSE)); // 0, and 1
      for (int i = 0; i < MANY; i++) {
        producer.send(record(LONG_ABORTED)); // 2 to 251, and 252
      }
      producer.flush();
      producer.abortTransaction();
      Map<Integer, Long> ends =
          Map.of(COMMITTED, 2L, ABORTED, 4L, LONG_ABORTED, MANY + 3L, NOTHING_ELSE, 2L);
      TestJob.await("the marks", () -> kafka.endOffsets("t").equals(ends));

      assertThat(ends(kafka, 0, ends))
          .isEqualTo(Map.of(COMMITTED, 1L, ABORTED, 1L, LONG_ABORTED, 1L));
      assertThat(ends(kafka, 1, ends)).isEmpty();
      assertThat(ends(kafka, 0, Map.of(COMMITTED, 1L, ABORTED, 2L, LONG_ABORTED, 0L)))
          .isEqualTo(Map.of(COMMITTED, 1L, ABORTED, 1L));
    }
  }

  private static Map<Integer, Long> ends(
      EmbeddedKafka kafka, long begin, Map<Integer, Long> rangeEnds) {
    Map<TopicPartition, Range> ranges = new TreeMap<>();
    rangeEnds.forEach((p, end) -> ranges.put(new TopicPartition("t", p), new Range(begin, end)));
    String yaml =
        """
        name: t
        kafka: {bootstrap.servers: '%s', topics: [t]}
        catalog: {name: lake, properties: {type: hadoop, warehouse: 'file:///nowhere'}}
        """
            .formatted(kafka.bootstrapServers());
    Map<Integer, Long> ends = new TreeMap<>();
    try (KafkaTopics topics = new KafkaTopics(Settings.parse(yaml, Map.of()).kafka())) {
      LastReadable.ends(topics, ranges).forEach((tp, end) -> ends.put(tp.partition(), end));
    }
    return ends;
  }

  private static ProducerRecord<byte[], byte[]> record(int partition) {
    return new ProducerRecord<>("t", partition, null, new byte[] {1});
  }
}
