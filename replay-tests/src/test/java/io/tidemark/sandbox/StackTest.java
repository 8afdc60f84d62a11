package io.tidemark.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.script.Workload;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path dir;

  @Test
  void everyChangeOfTheWorkloadReachesKafkaOnce() throws Exception {
    try (Stack stack = Stack.start(StackSettings.named("t"), dir);
        Workload workload = new Workload(stack.postgres()::connect, 42)) {
      workload.insertRows(200);
      DebeziumRelay relay = stack.startRelay();
      long made = workload.run(1000);
      relay.awaitShipped(Duration.ofSeconds(60));

      List<ConsumerRecord<byte[], byte[]>> records = TopicLog.read(stack.kafka(), stack.topic());
      Map<String, Long> ops = new HashMap<>();
      for (ConsumerRecord<byte[], byte[]> record : records) {
        ops.merge(operation(record), 1L, Long::sum);
      }
      assertThat(relay.shipped()).isEqualTo(records.size());
      assertThat(ops.get("r")).isEqualTo(200);
      assertThat(ops.get("c") + ops.get("u") + ops.get("d")).isEqualTo(made);
      assertThat(ops.get("tombstone")).isEqualTo(ops.get("d"));
      assertThat(200 + ops.get("c") - ops.get("d")).isEqualTo(workload.rows());
      assertThat(count(stack)).isEqualTo(workload.rows());
    }
  }

  private static long count(Stack stack) throws Exception {
    try (Connection connection = stack.postgres().connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT count(*) FROM shop.orders")) {
      result.next();
      return result.getLong(1);
    }
  }

  private static String operation(ConsumerRecord<byte[], byte[]> record) throws Exception {
    return record.value() == null
        ? "tombstone"
        : JSON.readTree(record.value()).get("payload").get("op").asText();
  }
}
