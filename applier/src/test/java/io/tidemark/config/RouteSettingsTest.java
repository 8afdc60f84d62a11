package io.tidemark.config;

import static io.tidemark.config.SettingsFixture.refusal;
import static io.tidemark.config.SettingsFixture.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.debezium.OnMissingDocument;
import io.tidemark.debezium.OnTruncate;
import io.tidemark.debezium.OnUnrepresentable;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RouteSettingsTest {

  @Test
  void defaults() {
    assertThat(with("routes: [{topics: '.*'}]\n").routes()).containsExactly(RouteSettings.DEFAULT);
  }

  @Test
  void everyKeyIsRead() {
    String text =
        """
        routes:
          - topics: 'a\\.(.*)'
            table: shop.$1
            key: [id, region]
            version: field:commit_version
            partition: ['day(created_at)', 'bucket(16, id)', region]
            deletes: equality
            columns: {amount: 'decimal(10, 2)'}
            on-unrepresentable: null
            unavailable-value: none
            unknown-values: null
            truncate: ignore
            missing-document: ignore
            before: full
            properties: {write.parquet.compression-codec: zstd}
            adopt: true
        """;

    SettingsFixture.assertNames(text, RouteSettings.KEYS);
    assertThat(with(text).routes())
        .containsExactly(
            new RouteSettings(
                "a\\.(.*)",
                "shop.$1",
                List.of("id", "region"),
                "field:commit_version",
                List.of("day(created_at)", "bucket(16, id)", "region"),
                Deletes.EQUALITY,
                Map.of("amount", "decimal(10, 2)"),
                OnUnrepresentable.NULL,
                "",
                UnknownValues.NULL,
                OnTruncate.IGNORE,
                OnMissingDocument.IGNORE,
                Before.FULL,
                Map.of("write.parquet.compression-codec", "zstd"),
                true));
  }

  @Test
  void everyProblemIsReportedAtOnce() {
    String text =
        """
        routes:
          - table: orders
            key: [id, id]
            version: lsn
            partition: ['dya(created_at)', 'bucket(0, id)', 'bucket(id)', {day: x}]
            deletes: soft
            columns: {a: decimal, b: varchar(3), c: [x]}
            on-unrepresentable: skip
            partitions: []
          - topics: 'a'
            table: x.$1
            deletes: hard
            unavailable-value: hex:0g
          - x
        """;

    assertThat(refusal(() -> with(text)))
        .isEqualTo(
            """
            The configuration has 18 problems:
              routes[0].topics (line 8): is missing, expected a regular expression
              routes[0].table (line 8): found "orders", expected namespace.table, with $1 for a group of topics
              routes[0].key (line 9): found a column twice, expected each once
              routes[0].version (line 10): found "lsn", expected auto, field:<path> or kafka-offset
              routes[0].partition[0] (line 11): found "dya(created_at)", expected a column, or year, month, day, hour, bucket(n, …) or truncate(n, …) of one
              routes[0].partition[1] (line 11): found "bucket(0, id)", expected a column, or year, month, day, hour, bucket(n, …) or truncate(n, …) of one
              routes[0].partition[2] (line 11): found "bucket(id)", expected a column, or year, month, day, hour, bucket(n, …) or truncate(n, …) of one
              routes[0].partition[3] (line 11): found a mapping, expected a column, or year, month, day, hour, bucket(n, …) or truncate(n, …) of one
              routes[0].deletes (line 12): found "soft", expected equality: soft deletes are not available yet
              routes[0].columns.c (line 13): found a list, expected a text, a number, true or false
              routes[0].columns.a (line 13): Column type "decimal": expected decimal(precision, scale) or decimal(precision, scale, text) at character 1
              routes[0].columns.b (line 13): Column type "varchar(3)": expected boolean, int, long, float, double, string, binary, date, time(millis|micros|nanos|iso), timestamp(millis|micros|nanos|iso), timestamptz, uuid, decimal(p, s), list<…>, map<string, …> or struct<name: …> at character 1
              routes[0].on-unrepresentable (line 14): found "skip", expected fail, null or dead-letter
              routes[0].partitions (line 15): found an unknown key, did you mean partition?
              routes[1].table (line 17): found $1, but routes.topics has 0 groups
              routes[1].deletes (line 18): found "hard", expected equality
              routes[1].unavailable-value (line 19): found "hex:0g", expected a text, hex: and bytes in hexadecimal, or none
              routes[2] (line 20): found "x", expected a mapping
            """);
  }
}
