package io.tidemark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.oracle.ChangeReader;
import io.tidemark.oracle.Offsets;
import io.tidemark.oracle.Oracle;
import io.tidemark.oracle.OracleChange;
import io.tidemark.oracle.OracleOptions;
import io.tidemark.oracle.RawEvent;
import io.tidemark.oracle.RawLog;
import io.tidemark.script.EventScript;
import io.tidemark.script.ScriptOptions;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ColumnFieldsTest {

  private static final String REMEMBERED =
      """
      {"id": "long", "name": "string", "amount": "decimal(12, 2)", "qty": "int",
       "region": "string", "day": "date", "updated_at": "string"}
      """;

  @Test
  void messagesWithoutSchemaSayTheSame() {
    RawLog with = EventScript.of(ScriptOptions.of(3).partitions(1)).log();
    RawLog without = EventScript.of(ScriptOptions.of(3).partitions(1).schemas(false)).log();
    OracleOptions told =
        OracleOptions.DEFAULT.withColumns(
            ColumnFields.of(REMEMBERED, Map.of("updated_at", "timestamptz")));

    assertThat(new Oracle(told, without, Offsets.NONE).fold(without.end()).live())
        .isEqualTo(new Oracle(OracleOptions.DEFAULT, with, Offsets.NONE).fold(with.end()).live());
  }

  /** A schema says of a number as text that it is text. */
  @Test
  void whatWasDeclaredANumberIsOneThoughTheSchemaSaysText() {
    String schema =
        """
        {"schema": {"fields": [{"field": "after", "fields": [{"field": "k", "type": "string"},
          {"field": "n", "type": "array", "items": {"type": "string"}},
          {"field": "t", "type": "string"}]}]},
         "payload": %s}
        """;
    String payload =
        """
        {"op": "c", "after": {"k": "1.50", "n": ["1E+2", "NAN"], "t": "1.50"}}
        """;
    ChangeReader reader =
        new ChangeReader(
            OracleOptions.DEFAULT
                .withScheme("kafka-offset")
                .withColumns(
                    ColumnFields.of(
                        "",
                        Map.of(
                            "k", "string(decimal)", "n", "list<string(decimal)>", "t", "string"))));
    for (String value : List.of(payload, schema.formatted(payload))) {
      OracleChange change =
          reader.read(
              new RawEvent(
                  "t",
                  0,
                  0,
                  "{\"k\": \"1.50\"}".getBytes(StandardCharsets.UTF_8),
                  value.getBytes(StandardCharsets.UTF_8),
                  Map.of()));
      assertThat(change).isNotNull();
      assertThat(change.key()).isEqualTo(Map.of("k", new BigDecimal("1.5")));
      assertThat(change.row())
          .isEqualTo(
              Map.of(
                  "k",
                  new BigDecimal("1.5"),
                  "n",
                  List.of(new BigDecimal("1E+2"), "NaN"),
                  "t",
                  "1.50"));
    }
  }

  @Test
  void everyTypeIsSaidAsAMessageSaysIt() {
    assertThat(text("time(nanos)")).contains("io.debezium.time.NanoTime");
    assertThat(text("timestamp(millis)")).contains("\"io.debezium.time.Timestamp\"");
    assertThat(text("timestamptz(micros)")).contains("io.debezium.time.MicroTimestamp");
    assertThat(text("decimal(9, 3, text)")).contains("\"type\":\"string\"");
    assertThat(text("string(decimal, 3)")).contains("\"scale\":\"3\"");
    assertThat(text("list<map<string, struct<x: double>>>"))
        .contains(
            "\"type\":\"array\",\"items\":{\"type\":\"map\",\"values\":{\"type\":\"struct\","
                + "\"fields\":[{\"type\":\"double\",\"field\":\"x\"}]}}");
    assertThat(ColumnFields.of(null, Map.of())).isNull();
  }

  private static String text(String spec) {
    return String.valueOf(ColumnFields.of("", Map.of("c", spec)));
  }
}
