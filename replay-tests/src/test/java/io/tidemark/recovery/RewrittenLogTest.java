package io.tidemark.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.recovery.OrdersTopic.Outcome;
import io.tidemark.sandbox.EmbeddedKafka;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker comes back from a copy, and others are written where the table's last records were. */
@Timeout(300)
class RewrittenLogTest {
  @TempDir private Path directory;

  @Test
  void otherRecordsBelowTheRecordedOffsetAreNotPassedOver() throws Exception {
    Path data = directory.resolve("kafka");
    Path copy = directory.resolve("copy");
    try (EmbeddedKafka kafka = EmbeddedKafka.startRestartable(data);
        OrdersTopic topic = new OrdersTopic(kafka, "orders", directory)) {
      topic.put(1, "kept", 10, 1);
      kafka.stop();
      copy(data, copy);
      kafka.startAgain();
      topic.put(2, "lost", 20, 2);
      topic.put(3, "lost", 30, 3);
      assertThat(run(topic).exit()).isZero();
      assertThat(run(topic).exit()).isZero(); // the same record still stands there
      kafka.stop();
      delete(data);
      copy(copy, data);
      kafka.startAgain();
      topic.put(4, "new", 40, 4);
      topic.put(5, "new", 50, 5);
      topic.put(6, "new", 60, 6);
      long before = topic.table().currentSnapshot().snapshotId();

      Outcome refused = run(topic);
      assertThat(refused.err())
          .contains("Table shop.orders was made from another log than Kafka has now:")
          .containsPattern(
              "orders-0: at offset 2 was a record of 20\\S+Z with the hash [0-9a-f]{16},"
                  + " now there is a record of 20\\S+Z with the hash [0-9a-f]{16}\n")
          .contains("--from earliest")
          .doesNotContain("note"); // nothing of what records hold
      assertThat(refused.exit()).isEqualTo(3);
      assertThat(run(topic, "--dry-run").exit()).isEqualTo(3);
      assertThat(topic.table().currentSnapshot().snapshotId()).isEqualTo(before);

      assertThat(run(topic, "--from", "earliest").err()).isEmpty();
      Map<Long, String> all =
          Map.of(1L, "kept", 2L, "lost", 3L, "lost", 4L, "new", 5L, "new", 6L, "new");
      assertThat(topic.rows()).isEqualTo(all);
      assertThat(run(topic).err()).isEmpty();

      // Retention takes the record that would be compared: nothing is known any more.
      topic.forgetBelow(4);
      assertThat(run(topic).err()).isEmpty();
      assertThat(topic.rows()).isEqualTo(all);
    }
  }

  private static Outcome run(OrdersTopic topic, String... more) throws IOException {
    List<String> words =
        new ArrayList<>(List.of("run", "-c", topic.file() + "", "--until", "caught-up"));
    words.addAll(List.of(more));
    return topic.type(words.toArray(String[]::new));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : all.toList()) {
        Path target = to.resolve(from.relativize(path));
        if (Files.isDirectory(path)) {
          Files.createDirectories(target);
        } else {
          Files.copy(path, target);
        }
      }
    }
  }

  private static void delete(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
