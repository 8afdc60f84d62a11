package io.tidemark.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedKafkaTest {

  @TempDir Path dir;

  @Test
  void startsAndStopsTwiceInOneProcess() throws Exception {
    for (String run : new String[] {"first", "second"}) {
      try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve(run))) {
        kafka.createTopic("t", 3);
        try (Producer<byte[], byte[]> producer = RecordWire.producer(kafka)) {
          producer.send(new ProducerRecord<>("t", 2, bytes("k"), bytes(run))).get();
        }
        assertThat(kafka.endOffsets("t")).containsOnlyKeys(0, 1, 2).containsEntry(2, 1L);
        assertThat(TopicLog.read(kafka, "t"))
            .singleElement()
            .satisfies(record -> assertThat(record.value()).isEqualTo(bytes(run)));
      }
    }
  }

  @Test
  void saysWhyAndWhereWhenItCannotStart() throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "in the way");

    assertThatThrownBy(() -> EmbeddedKafka.start(file))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Kafka did not start in " + file + ": ");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
