package io.tidemark.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DebeziumRelayTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path dir;

  @Test
  void shipsEveryKindOfChangeAndGoesOnWhereItStopped() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(dir.resolve("postgres"));
        EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"));
        Connection connection = postgres.connect();
        Statement sql = connection.createStatement()) {
      kafka.createTopic("t.s.a", 1);
      sql.execute("CREATE SCHEMA s");
      sql.execute("CREATE TABLE s.a (id int PRIMARY KEY, n int DEFAULT 7)");
      sql.execute("INSERT INTO s.a VALUES (1, 1)");
      RelaySettings settings = new RelaySettings("t", List.of("s.a"), true);

      try (DebeziumRelay relay = DebeziumRelay.start(postgres, kafka, settings, offsets())) {
        relay.awaitShipped(Duration.ofSeconds(30));
        sql.execute("INSERT INTO s.a VALUES (2, NULL)");
        sql.execute("UPDATE s.a SET n = 3 WHERE id = 1");
        sql.execute("UPDATE s.a SET id = 9 WHERE id = 1");
        relay.awaitShipped(Duration.ofSeconds(30));
        assertThat(relay.shipped()).isEqualTo(6);
      }
      sql.execute("DELETE FROM s.a WHERE id = 9");
      try (DebeziumRelay relay = DebeziumRelay.start(postgres, kafka, settings, offsets())) {
        relay.awaitShipped(Duration.ofSeconds(30));
      }

      List<ConsumerRecord<byte[], byte[]>> records = TopicLog.read(kafka, "t.s.a");
      assertThat(records.stream().map(DebeziumRelayTest::summary))
          .containsExactly("r 1", "c 2", "u 1", "d 1", "tombstone 1", "c 9", "d 9", "tombstone 9");
      assertThat(payload(records.get(1)).get("after").get("n").isNull()).isTrue();
      assertThat(headerKeys(records.get(3))).contains("__debezium.newkey");
      assertThat(headerKeys(records.get(5))).contains("__debezium.oldkey");
    }
  }

  private Path offsets() {
    return dir.resolve("offsets");
  }

  private static String summary(ConsumerRecord<byte[], byte[]> record) {
    try {
      long id = JSON.readTree(record.key()).get("payload").get("id").asLong();
      return (record.value() == null ? "tombstone" : payload(record).get("op").asText()) + " " + id;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static JsonNode payload(ConsumerRecord<byte[], byte[]> record) {
    try {
      return JSON.readTree(record.value()).get("payload");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> headerKeys(ConsumerRecord<byte[], byte[]> record) {
    List<String> keys = new ArrayList<>();
    for (Header header : record.headers()) {
      keys.add(header.key());
    }
    return keys;
  }
}
