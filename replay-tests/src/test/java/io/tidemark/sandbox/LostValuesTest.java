package io.tidemark.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Values that the real connector does not send as they are, of which the page about types says so.
 * Another release of Debezium may do better, and the page must then.
 */
@Timeout(300)
class LostValuesTest {
  private static final String TABLE = "s.lost";

  @TempDir Path dir;

  @Test
  void theConnectorSendsOthers() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(dir.resolve("postgres"));
        Connection connection = postgres.connect();
        Statement sql = connection.createStatement()) {
      sql.execute(
          "CREATE SCHEMA s; CREATE TABLE s.fence (id serial PRIMARY KEY);"
              + " CREATE TABLE s.lost (id int PRIMARY KEY, nan numeric, infinite numeric,"
              + " nans numeric[], ints int[][], texts text[][], late timestamp, early timestamp)");
      try (EmbeddedConnector precise =
              start(postgres, "precise", Map.of("time.precision.mode", "nanoseconds"));
          EmbeddedConnector text =
              start(postgres, "text", Map.of("decimal.handling.mode", "string"))) {
        for (EmbeddedConnector connector : new EmbeddedConnector[] {precise, text}) {
          do {
            sql.execute("INSERT INTO s.fence DEFAULT VALUES");
          } while (connector.poll(200) == null);
        }
        sql.execute(
            "INSERT INTO s.lost VALUES (1, 'NaN', 'Infinity', '{NaN,1.5}', '{{1,2},{3,4}}',"
                + " '{{a,b},{c,d}}', '2263-01-01', '1676-12-31')");
        JsonNode lost = after(precise);
        JsonNode kept = after(text);

        for (String column : new String[] {"nan", "infinite", "nans", "late", "early"}) {
          assertThat(lost.path(column).isNull()).as(column).isTrue();
        }
        assertThat(kept.path("nan").asText()).isEqualTo("NAN");
        assertThat(kept.path("infinite").asText()).isEqualTo("POSITIVE_INFINITY");
        assertThat(kept.path("nans").isNull()).isTrue();
        assertThat(kept.path("late").asLong()).isEqualTo(9_246_182_400_000_000L);
        assertThat(kept.path("ints").toString()).isEqualTo("[null,null]");
        assertThat(kept.path("texts"))
            .hasSize(2)
            .allSatisfy(inner -> assertThat(inner.asText()).startsWith("[Ljava.lang.String;@"));
      }
    }
  }

  private static EmbeddedConnector start(
      EmbeddedPostgres postgres, String name, Map<String, String> more) {
    Map<String, String> settings = new TreeMap<>(more);
    settings.put("table.include.list", "s.fence," + TABLE);
    return EmbeddedConnector.start(postgres, name, settings);
  }

  private static JsonNode after(EmbeddedConnector connector) throws Exception {
    byte[] message = new RecordWire(true).encode(connector.next(TABLE)).value();
    return new ObjectMapper().readTree(message).at("/payload/after");
  }
}
