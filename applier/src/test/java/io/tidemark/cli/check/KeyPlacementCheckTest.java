package io.tidemark.cli.check;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.SourceOffset;
import io.tidemark.change.TopicPartition;
import io.tidemark.cli.check.KafkaView.OffsetRange;
import io.tidemark.config.Settings;
import io.tidemark.debezium.RawRecord;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KeyPlacementCheckTest {
  private static final String CREATED =
      """
      {"op":"c","after":{"id":1,"name":"private"},"source":{"connector":"postgresql",\
      "snapshot":"false","ts_ms":1,"lsn":24,"sequence":"[\\"16\\",\\"24\\"]"}}""";

  private final InMemoryKafka kafka = new InMemoryKafka().with("shop.orders", 1);

  @Test
  void changesOfARowThatMayLieInSeveralPartitionsAreRefused() {
    assertThat(check("name")).contains("can be decoded, 2 columns");

    kafka.ranges.put(new TopicPartition("shop.orders", 1), new OffsetRange(0, 0));
    assertThat(check("name"))
        .contains(
            "FAIL  records    topic shop.orders, partition 0, offset 0: message key: expected no other"
                + " columns than those of the route's key, name, ");
    assertThat(check("id")).contains("can be decoded, 2 columns");
  }

  @Test
  void aMessageKeyWithoutNamesIsComparedWithTheRows() {
    kafka.ranges.put(new TopicPartition("shop.orders", 1), new OffsetRange(0, 0));
    assertThat(check("id", "1")).contains("can be decoded, 2 columns");
    assertThat(check("id", "2"))
        .contains("found an integer, which does not name its column, and is not the value of id");
  }

  private String check(String key) {
    return check(key, "{\"id\":1}");
  }

  private String check(String key, String messageKey) {
    kafka.records.clear();
    kafka.records.add(
        new RawRecord(
            new SourceOffset("shop.orders", 0, 0),
            0,
            messageKey.getBytes(UTF_8),
            CREATED.getBytes(UTF_8),
            Map.of()));
    Settings settings =
        Settings.parse(
            """
            kafka: {bootstrap.servers: 'localhost:9092', topics: [shop.orders]}
            catalog: {name: lake, properties: {type: hadoop, warehouse: 'file:///tmp/lake'}}
            routes: [{topics: '.*', key: [%s], columns: {id: long, name: string}}]
            """
                .formatted(key),
            Map.of());
    StringWriter out = new StringWriter();
    CheckReport report = new CheckReport(new PrintWriter(out), text -> text);
    new Check(settings, report).run(() -> kafka, InMemoryCatalog::new);
    return out.toString();
  }
}
