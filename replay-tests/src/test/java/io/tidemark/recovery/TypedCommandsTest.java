package io.tidemark.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.job.RunOptions;
import io.tidemark.recovery.OrdersTopic.Outcome;
import io.tidemark.sandbox.EmbeddedKafka;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a message says to type can be typed as it is: it names the file that the command was of. */
@Timeout(120)
class TypedCommandsTest {
  @TempDir private Path directory;

  @Test
  void everyCommandNamesItsConfigurationInWhatItSaysToType() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory.resolve("kafka"));
        OrdersTopic topic = new OrdersTopic(kafka, "orders", directory)) {
      kafka.createTopic("letters", 1);
      String file =
          Files.writeString(
                  directory.resolve("shop.yaml"),
                  topic.yaml() + "errors: {policy: dead-letter, topic: letters}\n")
              .toString();
      topic.put(1, "kept", 10, 1);
      topic.put(2, "deleted", 20, 2);
      topic.delete(2, 30, 3);
      topic.run(RunOptions.catchUp());
      breakAll(topic);
      Map<String, String> commands = new LinkedHashMap<>();
      commands.put("run", "--until caught-up");
      commands.put("check", "");
      commands.put("show", OrdersTopic.TABLE);
      commands.put("epoch", "--begin orders:0=3");
      commands.put("redrive", "");
      commands.put("verify", "");
      commands.put("status", "");
      String all = topic.type().err().lines().filter(l -> l.startsWith("Commands: ")).toList() + "";
      assertThat(all.replaceAll("\\[Commands: |]", "").split(", "))
          .containsExactlyInAnyOrderElementsOf(commands.keySet());

      for (Map.Entry<String, String> command : commands.entrySet()) {
        if (command.getKey().equals("status")) {
          topic.recreate(); // of the rest it says nothing to type
        }
        Outcome outcome =
            topic.type(
                Stream.concat(
                        Stream.of(command.getKey(), "-c", file),
                        Arrays.stream(command.getValue().split(" ")).filter(w -> !w.isEmpty()))
                    .toArray(String[]::new));

        assertThat(outcome.out() + outcome.err())
            .as(command.getKey())
            .containsPattern("\\./tidemark [a-z]+ -c \\Q" + file + "\\E")
            .doesNotContain("-c FILE");
      }
    }
  }

  /** Somebody else wrote, a file is gone, and so are the tombstones. */
  private static void breakAll(OrdersTopic topic) throws Exception {
    Table table = topic.table();
    DataFile file;
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      file = tasks.iterator().next().file();
    }
    table.newAppend().appendFile(file).commit();
    Files.delete(Path.of(URI.create(file.location()).getPath()));
    topic.catalog().dropTable(TableIdentifier.parse(OrdersTopic.TABLE + "__tombstones"));
  }
}
