package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.config.StartPosition;
import io.tidemark.oracle.Offsets;
import io.tidemark.oracle.Oracle;
import io.tidemark.oracle.OracleOptions;
import io.tidemark.oracle.OracleRow;
import io.tidemark.oracle.RawEvent;
import io.tidemark.script.EventScript;
import io.tidemark.script.ScriptOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Spark, in a process of its own with none of our jars, reads what the oracle says: in every
 * snapshot of a table whose rows were deleted, written again and moved between partitions.
 */
@Timeout(300)
class IndependentReaderTest {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
  private static final String TOPIC = "spark";

  @TempDir Path warehouse;

  @Test
  void sparkReadsTheOraclesRowsInEverySnapshot() throws Exception {
    Path classPath =
        Path.of(System.getProperty("tidemark.spark.classpath", "target/spark.classpath"));
    Assumptions.assumeTrue(
        Files.exists(classPath),
        "Spark's jars are only gathered by a whole build: no " + classPath);
    ReplayJob job = tableWithAHistory();
    Table table = job.table();
    List<String> snapshots = new ArrayList<>();
    Map<String, Offsets> offsets = new TreeMap<>();
    for (Snapshot snapshot : table.snapshots()) {
      String id = String.valueOf(snapshot.snapshotId());
      if (snapshot.summary().containsKey("tidemark.offsets")
          && !"true".equals(snapshot.summary().get("tidemark.partial"))) {
        snapshots.add(id);
        offsets.put(id, Offsets.parse(snapshot.summary().get("tidemark.offsets")));
      }
    }
    assertThat(snapshots).hasSizeGreaterThan(3);

    Map<String, Map<Long, String>> read =
        spark(Files.readString(classPath), job.tableName(), snapshots);

    Oracle oracle = new Oracle(OracleOptions.DEFAULT, job.log(), Offsets.NONE);
    int rows = 0;
    for (String snapshot : snapshots) {
      Map<Long, String> expected = new TreeMap<>();
      oracle
          .fold(offsets.get(snapshot))
          .live()
          .forEach((key, row) -> expected.put((Long) key.get("id"), text(row)));
      assertThat(read.getOrDefault(snapshot, Map.of()))
          .as("snapshot %s", snapshot)
          .isEqualTo(expected);
      rows += expected.size();
    }
    System.out.println("Spark read " + rows + " rows in " + snapshots.size() + " snapshots");
  }

  private ReplayJob tableWithAHistory() throws Exception {
    ReplayKafka.createTopic(TOPIC, 3);
    ReplayJob job =
        new ReplayJob(TOPIC, warehouse, OracleOptions.DEFAULT, List.of("partition: [region]"));
    List<RawEvent> events =
        EventScript.of(
                ScriptOptions.of(Seed.of("IndependentReaderTest", 8))
                    .topic(TOPIC)
                    .partitions(3)
                    .size(30, 150))
            .events();
    int parts = 4;
    for (int part = 0; part < parts; part++) {
      int from = events.size() * part / parts;
      ReplayKafka.produce(TOPIC, events.subList(from, events.size() * (part + 1) / parts));
      job.catchUp();
    }
    job.catchUpFrom(new StartPosition.Earliest());
    job.check();
    return job;
  }

  private Map<String, Map<Long, String>> spark(
      String classPath, String table, List<String> snapshots)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String open :
        List.of(
            "java.io",
            "java.lang",
            "java.lang.invoke",
            "java.lang.reflect",
            "java.net",
            "java.nio",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "jdk.internal.ref",
            "sun.nio.ch",
            "sun.nio.cs",
            "sun.security.action",
            "sun.util.calendar")) {
      command.add("--add-opens=java.base/" + open + "=ALL-UNNAMED");
    }
    command.addAll(
        List.of(
            "-Xmx1g",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            classPath.strip(),
            "src/test/spark/SparkRead.java"));
    command.addAll(List.of(warehouse.toUri().toString(), table));
    command.addAll(snapshots);
    Path out = warehouse.resolve("spark.out");
    Path log = warehouse.resolve("spark.log");
    Process spark =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(log.toFile())
            .start();
    if (!spark.waitFor(240, TimeUnit.SECONDS)) {
      spark.destroyForcibly();
    }
    assertThat(spark.waitFor()).as(() -> tail(log)).isZero();
    Map<String, Map<Long, String>> rows = new TreeMap<>();
    for (String line : Files.readAllLines(out)) {
      if (line.startsWith("ROW ")) {
        String[] parts = line.split(" ", 3);
        JsonNode row = JSON.readTree(parts[2]);
        String before =
            rows.computeIfAbsent(parts[1], id -> new TreeMap<>())
                .put(row.path("id").longValue(), text(row));
        assertThat(before).as("a second row of " + row).isNull();
      }
    }
    return rows;
  }

  private static String text(OracleRow oracle) {
    Map<String, @Nullable Object> row =
        new TreeMap<>(java.util.Objects.requireNonNull(oracle.row()));
    row.replaceAll(
        (name, value) -> value instanceof OffsetDateTime time ? time.toInstant() : value);
    return row + " at " + oracle.sourceTime().toInstant();
  }

  private static String text(JsonNode row) {
    Map<String, @Nullable Object> values = new TreeMap<>();
    row.properties()
        .forEach(
            column -> {
              JsonNode value = column.getValue();
              if (!column.getKey().startsWith("_")) {
                values.put(column.getKey(), value.isNull() ? null : value(column.getKey(), value));
              }
            });
    return values + " at " + instant(row.path("_source_ts").asText());
  }

  private static Object value(String column, JsonNode value) {
    return switch (column) {
      case "updated_at" -> instant(value.asText());
      case "amount" -> value.decimalValue().setScale(2);
      default -> value.asText();
    };
  }

  private static java.time.Instant instant(String text) {
    return OffsetDateTime.parse(text).toInstant();
  }

  private static String tail(Path log) {
    try {
      String text = Files.readString(log, StandardCharsets.UTF_8);
      return text.substring(Math.max(0, text.length() - 3000));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
