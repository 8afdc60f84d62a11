package io.tidemark.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.StartFrom;
import io.tidemark.job.DryRunReport;
import io.tidemark.job.LocalJob;
import io.tidemark.job.RunOptions;
import io.tidemark.sandbox.EmbeddedKafka;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DryRunTest {
  private static final String VERSION_30 =
      "00000000-000000000000001d-000000000000001e-0000000000000000-0-0000000000000002";

  @TempDir private Path directory;

  @Test
  void saysWhatARunWouldChangeAndWritesNothing() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory.resolve("kafka"));
        OrdersTopic topic = new OrdersTopic(kafka, "orders", directory)) {
      topic.put(1, "a", 10, 1);
      topic.put(2, "b", 20, 2);
      topic.put(1, "c", 30, 3);

      DryRunReport first = LocalJob.dryRun(topic.settings(""), RunOptions.catchUp());
      assertThat(first.rows()).isEqualTo(new DryRunReport.Rows(2, 0, 0));
      assertThat(first.read()).isEqualTo(new DryRunReport.Read(3, 0, 0, 0, 0));
      assertThat(first.highest()).containsOnlyKeys("orders-0").containsValue(VERSION_30);
      assertThat(directory.resolve("lake")).doesNotExist();

      topic.run(RunOptions.catchUp());
      List<Path> files = files();
      topic.put(3, "d", 40, 4);
      topic.put(1, "e", 50, 5);
      topic.delete(2, 60, 6);
      RunOptions everything = RunOptions.catchUp().from(StartFrom.parse("earliest"));

      DryRunReport again = LocalJob.dryRun(topic.settings(""), everything);
      assertThat(again.rows()).isEqualTo(new DryRunReport.Rows(1, 1, 1));
      assertThat(again.read()).isEqualTo(new DryRunReport.Read(6, 1, 2, 0, 0));
      assertThat(files()).isEqualTo(files);
    }
  }

  private List<Path> files() throws Exception {
    try (Stream<Path> files = Files.walk(directory.resolve("lake"))) {
      return files.sorted().toList();
    }
  }
}
