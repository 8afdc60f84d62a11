package io.tidemark.config;

import static io.tidemark.config.SettingsFixture.refusal;
import static io.tidemark.config.SettingsFixture.withKafka;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.TopicPartition;
import io.tidemark.debezium.Unwrap;
import io.tidemark.debezium.Unwrap.DeleteHandling;
import io.tidemark.debezium.registry.RegistrySettings;
import io.tidemark.debezium.registry.SchemaId;
import io.tidemark.debezium.registry.SchemaIds;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KafkaSettingsTest {

  @Test
  void defaults() {
    assertThat(withKafka("bootstrap.servers: a:1\ntopics: x").kafka())
        .isEqualTo(
            new KafkaSettings(
                "a:1",
                new Topics.Matching("x"),
                MessageSettings.DEFAULTS,
                new StartPosition.Earliest(),
                false,
                Map.of()));
  }

  @Test
  void everyKeyIsRead() {
    String text =
        """
        bootstrap.servers: a:1, SSL://b.example:2,[::1]:3
        topics: [shop.orders, shop.items]
        format: debezium-avro-flat
        registry: {schema.registry.url: 'https://r:8081/', basic.auth.user.info: 'u:p'}
        unwrap: {delete.tombstone.handling.mode: rewrite, add.fields: 'op, source.lsn:pos'}
        start: latest
        allow-compacted: true
        properties: {security.protocol: SSL, max.poll.records: 100, isolation.level: read_committed}
        """;

    SettingsFixture.assertNames(text, KafkaSettings.KEYS);
    assertThat(withKafka(text).kafka())
        .isEqualTo(
            new KafkaSettings(
                "a:1, SSL://b.example:2,[::1]:3",
                new Topics.Named(List.of("shop.orders", "shop.items")),
                new MessageSettings(
                    Format.DEBEZIUM_AVRO_FLAT,
                    new RegistrySettings(
                        RegistrySettings.Api.CONFLUENT,
                        List.of(URI.create("https://r:8081")),
                        new SchemaIds(4, SchemaId.Kind.SCHEMA),
                        "Basic dTpw"),
                    new Unwrap(
                        DeleteHandling.REWRITE,
                        List.of("op", "source.lsn:pos"),
                        "__",
                        List.of(),
                        "__")),
                new StartPosition.Latest(),
                true,
                Map.of(
                    "security.protocol", "SSL",
                    "max.poll.records", "100",
                    "isolation.level", "read_committed")));
  }

  @Test
  void everyProblemIsReportedAtOnce() {
    String text =
        """
        bootstrap.servers: a:1,b
        topics: [a b, ok, ok, .]
        format: json
        start: yesterday
        allow-compacted: yes
        properties:
          auto.offset.reset: earliest
          enable.auto.commit: true
          key.deserializer: x
          value.deserializer: x
          bootstrap.servers: a:1
          isolation.level: read_uncommitted
          list: [a]
        """;

    assertThat(refusal(() -> withKafka(text)))
        .isEqualTo(
            """
            The configuration has 14 problems:
              kafka.bootstrap.servers (line 5): found "a:1,b", expected host:port, several separated by commas
              kafka.topics[0] (line 6): found "a b", expected the name of a topic: letters, digits, dots, dashes and underscores
              kafka.topics[2] (line 6): found "ok" a second time
              kafka.topics[3] (line 6): found ".", expected the name of a topic: letters, digits, dots, dashes and underscores
              kafka.format (line 7): found "json", expected debezium-json, debezium-avro, debezium-json-flat or debezium-avro-flat
              kafka.start (line 8): found "yesterday", expected earliest, latest, timestamp=<ISO-8601 time with zone, or milliseconds> or <topic>:<partition>=<offset>,…
              kafka.allow-compacted (line 9): found "yes", expected true or false
              kafka.properties.auto.offset.reset (line 11): must not be set here: use kafka.start; an offset that Kafka no longer has is an error and never skipped
              kafka.properties.enable.auto.commit (line 12): must not be set here: offsets are kept in the table; a group's offsets decide nothing
              kafka.properties.key.deserializer (line 13): must not be set here: Tidemark decodes the bytes itself, see kafka.format
              kafka.properties.value.deserializer (line 14): must not be set here: Tidemark decodes the bytes itself, see kafka.format
              kafka.properties.bootstrap.servers (line 15): must not be set here: use kafka.bootstrap.servers
              kafka.properties.isolation.level (line 16): found "read_uncommitted", expected read_committed or no entry: with anything else, changes of transactions that were aborted would be applied
              kafka.properties.list (line 17): found a list, expected a text, a number, true or false
            """);
  }

  @Test
  void aBadPatternIsRefusedWithItsPlace() {
    assertThat(refusal(() -> withKafka("bootstrap.servers: a:1\ntopics: 'shop.(x'")))
        .contains(
            "kafka.topics (line 6): found \"shop.(x\", expected a regular expression: Unclosed group"
                + " at position 8");
    assertThat(refusal(() -> withKafka("bootstrap.servers: a:1\ntopics: []")))
        .contains("found an empty list, expected at least one topic name");
    assertThat(refusal(() -> withKafka("bootstrap.servers: a:1\ntopics:")))
        .contains("kafka.topics (line 6): found nothing, expected a regular expression");
  }

  @Test
  void offsetsMayBeAMapping() {
    assertThat(
            withKafka("bootstrap.servers: a:1\ntopics: x\nstart: {'a:b:0': 7, 'a:b:1': 0}")
                .kafka()
                .start())
        .isEqualTo(
            new StartPosition.Offsets(
                Map.of(new TopicPartition("a:b", 0), 7L, new TopicPartition("a:b", 1), 0L)));
    assertThat(
            refusal(
                () ->
                    withKafka(
                        "bootstrap.servers: a:1\ntopics: x\nstart: {a: 7, 'a:0': -1, 'b:0': [1]}")))
        .contains(
            "kafka.start.a (line 7): found \"7\", expected 'topic:partition': offset",
            "kafka.start.a:0 (line 7): found \"-1\", expected",
            "kafka.start.b:0 (line 7): found a list, expected");
    assertThat(refusal(() -> withKafka("bootstrap.servers: a:1\ntopics: x\nstart: {}")))
        .contains("found an empty mapping");
  }

  @Test
  void topicsMatchAsAWhole() {
    assertThat(new Topics.Matching("a.*").contains("xab")).isFalse();
    assertThat(new Topics.Matching("a.*").contains("ab")).isTrue();
    assertThat(new Topics.Named(List.of("ab")).contains("ab")).isTrue();
  }
}
