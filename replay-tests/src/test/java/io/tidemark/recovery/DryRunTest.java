package io.tidemark.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.StartFrom;
import io.tidemark.job.DryRunReport;
import io.tidemark.job.LocalJob;
import io.tidemark.job.RunOptions;
import io.tidemark.recovery.OrdersTopic.Outcome;
import io.tidemark.sandbox.EmbeddedKafka;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read where, and what a run would make of it, before anything is written. */
class DryRunTest {
  private static final String VERSION_30 =
      "00000000-000000000000001d-000000000000001e-0000000000000000-0-0000000000000002";

  private static final String SKIP = "errors: {policy: skip}\n";

  @TempDir private Path directory;

  @Test
  void saysWhatARunWouldChangeAndWritesNothing() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory.resolve("kafka"));
        OrdersTopic topic = new OrdersTopic(kafka, "orders", directory)) {
      topic.put(1, "a", 10, 1);
      topic.put(2, "b", 20, 2);
      topic.put(1, "c", 30, 3);
      whatARunWouldRefuseIsRefused(topic);

      DryRunReport first = LocalJob.dryRun(topic.settings(""), RunOptions.catchUp());
      assertThat(first.rows()).isEqualTo(new DryRunReport.Rows(2, 0, 0));
      assertThat(first.read()).isEqualTo(new DryRunReport.Read(3, 1, 0, 0, 0, 0, 0, 0));
      assertThat(first.highest()).containsOnlyKeys("orders-0").containsValue(VERSION_30);
      aRunNeedsTheTopicOfItsDeadLetters(topic);
      assertThat(directory.resolve("lake")).doesNotExist();

      topic.run(RunOptions.catchUp());
      List<Path> files = files();
      topic.put(3, "d", 40, 4);
      topic.put(1, "e", 50, 5);
      topic.delete(2, 60, 6);
      topic.send(OrdersTopic.record("orders", 0, null, 7, "no JSON"));
      RunOptions everything = RunOptions.catchUp().from(StartFrom.parse("earliest"));

      DryRunReport again = LocalJob.dryRun(topic.settings(SKIP), everything);
      assertThat(again.rows()).isEqualTo(new DryRunReport.Rows(1, 1, 1));
      assertThat(again.read()).isEqualTo(new DryRunReport.Read(6, 0, 0, 1, 2, 0, 1, 0));
      assertThat(again.problems()).singleElement().asString().startsWith("orders-0@6: ");
      assertThat(files()).isEqualTo(files);

      sideTopicsThatAPatternMatchesAreLeftOut(kafka, topic);
    }
  }

  private void aRunNeedsTheTopicOfItsDeadLetters(OrdersTopic topic) throws Exception {
    String yaml =
        topic.yaml().replace("  topics:", "  properties: {max.block.ms: 500}\n  topics:")
            + "errors: {policy: dead-letter, topic: orders.dead}\n";
    Path file = Files.writeString(directory.resolve("letters.yaml"), yaml);
    OrdersTopic.Outcome refused = topic.type("run", "-c", file + "", "--until", "caught-up");
    assertThat(refused.exit()).isEqualTo(2);
    assertThat(refused.err())
        .contains("errors.topic: is orders.dead, which the cluster does not have, and its brokers");
  }

  private void whatARunWouldRefuseIsRefused(OrdersTopic topic) throws Exception {
    String columns = "columns: {id: long, note: string}";
    Map<String, String> saidOf =
        Map.of(
            topic.yaml() + "    partition: ['bucket(4, idd)']\n",
            "routes.partition: found [bucket(4, idd)], which table shop.orders cannot be created"
                + " with: Cannot find source column: idd",
            topic.yaml() + "    partition: ['year(note)']\n",
            "routes.partition: found [year(note)], which table shop.orders cannot be created with:"
                + " Invalid source type string for transform: year",
            topic.yaml().replace(columns, ""),
            "routes.columns: Table shop.orders cannot be created: topic orders",
            topic.yaml().replace("topics: ['orders']", "topics: ['ordres']"),
            "kafka.topics: no topic matches [ordres], expected one that is there and that this login"
                + " may see (Describe): did you mean orders?");
    for (Map.Entry<String, String> said : saidOf.entrySet()) {
      Path file = Files.writeString(directory.resolve("refused.yaml"), said.getKey());
      Outcome outcome = topic.type("run", "-c", file.toString(), "--dry-run");
      assertThat(outcome.err()).contains(said.getValue());
      assertThat(outcome.exit()).isEqualTo(2);
    }
  }

  private void sideTopicsThatAPatternMatchesAreLeftOut(EmbeddedKafka kafka, OrdersTopic topic)
      throws Exception {
    Map<String, String> records =
        Map.of(
            "orders.transaction", "{\"status\":\"BEGIN\",\"id\":\"1\",\"event_count\":null}",
            "__debezium-heartbeat.orders", "{\"ts_ms\":1}",
            "orders-schemas", "{\"databaseName\":\"x\",\"ddl\":\"CREATE TABLE t\"}",
            "orders.message", "{\"op\":\"m\",\"message\":{\"prefix\":\"p\"}}");
    for (Map.Entry<String, String> side : records.entrySet()) {
      kafka.createTopic(side.getKey(), 1);
      topic.send(OrdersTopic.record(side.getKey(), 0, null, 1, side.getValue()));
    }
    String pattern =
        topic.yaml().replace("['orders']", "'(__debezium-heartbeat.)?orders.*'") + SKIP;
    String file = Files.writeString(directory.resolve("pattern.yaml"), pattern).toString();
    String left = "__debezium-heartbeat.orders, orders-schemas, orders.message, orders.transaction";
    assertThat(topic.type("check", "-c", file).out()).contains(left + " are left out");
    assertThat(topic.type("run", "-c", file, "--until", "caught-up").exit()).isZero();
    assertThat(topic.rows()).isEqualTo(Map.of(1L, "e", 3L, "d"));
    assertThat(topic.type("status", "-c", file).out()).doesNotContain("orders.transaction");
    assertThat(topic.type("verify", "-c", file).out()).contains("EQUAL");

    // A table's change behind such records, more of them than are looked at from the beginning.
    for (int i = 0; i < 120; i++) {
      topic.send(OrdersTopic.record("orders.message", 0, null, 1, records.get("orders.message")));
    }
    String change = OrdersTopic.envelope("u", "null", "{\"id\":1,\"note\":\"a\"}", 1, 1);
    topic.send(OrdersTopic.record("orders.message", 0, null, 1, change));
    assertThat(topic.type("run", "-c", file, "--until", "caught-up"))
        .satisfies(refused -> assertThat(refused.exit()).isEqualTo(2))
        .satisfies(
            refused ->
                assertThat(refused.err()).contains("topics orders and orders.message both go"));
  }

  private List<Path> files() throws Exception {
    try (Stream<Path> files = Files.walk(directory.resolve("lake"))) {
      return files.sorted().toList();
    }
  }
}
