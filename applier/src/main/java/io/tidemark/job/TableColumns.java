package io.tidemark.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.StartOffsets.Range;
import io.tidemark.config.ConfigException;
import io.tidemark.config.TableRoute;
import io.tidemark.debezium.RawRecord;
import io.tidemark.debezium.ShapeReader;
import io.tidemark.debezium.ShapeResult;
import io.tidemark.debezium.value.ColumnSpec;
import io.tidemark.failure.RefusedException;
import io.tidemark.iceberg.IcebergTables;
import io.tidemark.iceberg.TableDefinition;
import io.tidemark.iceberg.TableDescription;
import io.tidemark.iceberg.TableState;
import io.tidemark.row.Column;
import io.tidemark.row.RowShape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what columns a table has: from the table, else from the configuration, else from the schema
 * that the messages carry.
 */
final class TableColumns {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final KafkaTopics kafka;
  private final IcebergTables tables;
  private final TableRoute route;

  TableColumns(KafkaTopics kafka, IcebergTables tables, TableRoute route) {
    this.kafka = kafka;
    this.tables = tables;
    this.route = route;
  }

  /**
   * The columns.
   *
   * @param specs by column, how messages without schema write it
   */
  record Resolved(TableDefinition definition, Map<String, String> specs) {}

  Resolved resolve(TableState state, Map<TopicPartition, Range> ranges) {
    if (state != TableState.ABSENT) {
      TableDescription table = tables.describe(route.table());
      Map<String, String> specs = new LinkedHashMap<>(read(table.columns()));
      specs.putAll(route.rules().columns());
      return resolved(table.shape(), specs);
    }
    if (!route.rules().columns().isEmpty()) {
      return configured(ranges);
    }
    return discovered(ranges);
  }

  private Resolved discovered(Map<TopicPartition, Range> ranges) {
    AtomicReference<@Nullable ShapeResult> found = new AtomicReference<>();
    AtomicReference<@Nullable RawRecord> where = new AtomicReference<>();
    kafka.search(
        ranges,
        record -> {
          ShapeResult result = ShapeReader.read(record, route.rules().key());
          if (result instanceof ShapeResult.NotAChange) {
            return false;
          }
          found.set(result);
          where.set(record);
          return true;
        });
    ShapeResult result = found.get();
    RawRecord record = where.get();
    if (result instanceof ShapeResult.Discovered discovered) {
      Map<String, String> specs = new LinkedHashMap<>();
      for (Column column : discovered.shape().columns()) {
        specs.put(column.name(), discovered.spec(column.name()));
      }
      return resolved(discovered.shape(), specs);
    }
    if (result instanceof ShapeResult.Refused refused && record != null) {
      throw new RefusedException(
          "Table " + route.table() + " cannot be created: " + record.at() + ": " + refused.reason());
    }
    throw new RefusedException(
        "Table "
            + route.table()
            + " does not exist, and topic "
            + route.topic()
            + " has no change yet to take its columns from. Start again when it has one, or set"
            + " routes.columns");
  }

  private Resolved configured(Map<TopicPartition, Range> ranges) {
    Set<String> key = new TreeSet<>(route.rules().key());
    if (key.isEmpty()) {
      key.addAll(messageKey(ranges));
    }
    List<Column> columns = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    route
        .rules()
        .columns()
        .forEach(
            (name, text) -> {
              try {
                columns.add(new Column(name, ColumnSpec.parse(text).type(), key.contains(name)));
              } catch (IllegalArgumentException e) {
                problems.add(name + ": " + e.getMessage());
              }
            });
    key.stream()
        .filter(name -> !route.rules().columns().containsKey(name))
        .forEach(name -> problems.add("key column " + name + " has no type"));
    if (!problems.isEmpty()) {
      throw ConfigException.of("routes.columns", String.join("; ", problems));
    }
    return resolved(new RowShape(columns), route.rules().columns());
  }

  /** Names of the columns in the first message key. */
  private Set<String> messageKey(Map<TopicPartition, Range> ranges) {
    AtomicReference<@Nullable Set<String>> names = new AtomicReference<>();
    kafka.search(
        ranges,
        record -> {
          names.set(keyNames(record));
          return names.get() != null;
        });
    Set<String> found = names.get();
    if (found == null) {
      throw ConfigException.of(
          "routes.key",
          "is not set, and topic " + route.topic() + " has no message with a JSON object as key");
    }
    return found;
  }

  private static @Nullable Set<String> keyNames(RawRecord record) {
    if (record.key() == null) {
      return null;
    }
    try {
      JsonNode key = JSON.readTree(record.key());
      if (key.has("schema") && key.has("payload")) {
        key = key.get("payload");
      }
      Set<String> names = new TreeSet<>();
      key.fieldNames().forEachRemaining(names::add);
      return key.isObject() ? names : null;
    } catch (IOException e) {
      return null;
    }
  }

  private Resolved resolved(RowShape shape, Map<String, String> specs) {
    return new Resolved(
        new TableDefinition(
            route.table(),
            shape,
            route.rules().partition(),
            route.rules().properties(),
            route.rules().version(),
            write(specs)),
        specs);
  }

  private static String write(Map<String, String> specs) {
    try {
      return JSON.writeValueAsString(specs);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e); // texts always have a JSON form
    }
  }

  private Map<String, String> read(@Nullable String json) {
    try {
      return json == null ? Map.of() : JSON.readValue(json, new TypeReference<>() {});
    } catch (JsonProcessingException e) {
      throw new RefusedException(
          "Table " + route.table() + ": its property tidemark.columns is not what Tidemark wrote");
    }
  }
}
