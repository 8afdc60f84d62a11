package io.tidemark.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.StartOffsets.Range;
import io.tidemark.config.ConfigException;
import io.tidemark.config.MessageSettings;
import io.tidemark.config.TableRoute;
import io.tidemark.debezium.RawRecord;
import io.tidemark.debezium.ShapeReader;
import io.tidemark.debezium.ShapeResult;
import io.tidemark.debezium.value.ColumnSpec;
import io.tidemark.failure.RefusedException;
import io.tidemark.iceberg.IcebergTables;
import io.tidemark.iceberg.TableDefinition;
import io.tidemark.iceberg.TableDescription;
import io.tidemark.iceberg.TableMismatchException;
import io.tidemark.iceberg.TableState;
import io.tidemark.row.Column;
import io.tidemark.row.RowShape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what columns a table has: from the table, else from the configuration, else from the
 * schema that the messages carry.
 */
final class TableColumns {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final KafkaTopics kafka;
  private final IcebergTables tables;
  private final TableRoute route;
  private final MessageSettings messages;
  private boolean adopts;

  TableColumns(
      KafkaTopics kafka, IcebergTables tables, TableRoute route, MessageSettings messages) {
    this.kafka = kafka;
    this.tables = tables;
    this.route = route;
    this.messages = messages;
  }

  /**
   * The columns.
   *
   * @param specs by column, how messages without schema write it
   */
  record Resolved(TableDefinition definition, Map<String, String> specs) {}

  Resolved resolve(TableState state, Map<TopicPartition, Range> ranges) {
    Map<String, ColumnSpec> configured = configuredSpecs();
    adopts = state == TableState.ROWS_WITHOUT_RECORD;
    if (state != TableState.ABSENT) {
      TableDescription table = tables.describe(route.table());
      if (adopts) {
        refuseToLoseColumns(table.shape(), ranges, configured);
      }
      refuseMissing(table.shape());
      Map<String, String> specs = new LinkedHashMap<>(read(table.columns()));
      // A column that was dropped since has no changes to be read from.
      specs.keySet().retainAll(table.shape().positions().keySet());
      specs.putAll(route.rules().columns());
      return resolved(table.shape(), specs);
    }
    ShapeReader shapes = shapes(configured);
    Found found = firstChange(ranges, shapes);
    if (found != null && found.shape() instanceof ShapeResult.Discovered discovered) {
      Map<String, String> specs = new LinkedHashMap<>();
      for (Column column : discovered.shape().columns()) {
        specs.put(column.name(), discovered.spec(column.name()));
      }
      return resolved(discovered.shape(), specs);
    }
    if (!configured.isEmpty()) {
      return configured(configured, found == null ? Set.of() : shapes.keyNames(found.record()));
    }
    if (found != null && found.shape() instanceof ShapeResult.Refused refused) {
      throw new RefusedException(
          "Table "
              + route.table()
              + " cannot be created: "
              + found.record().at()
              + ": "
              + refused.reason());
    }
    throw new RefusedException(
        "Table "
            + route.table()
            + " does not exist, and topic "
            + route.topic()
            + " has no change yet to take its columns from. Start again when it has one, or set"
            + " routes.columns");
  }

  private void refuseMissing(RowShape table) {
    List<String> missing =
        route.rules().columns().keySet().stream()
            .filter(name -> !table.positions().containsKey(name))
            .map(name -> "column " + name + " of routes.columns is missing")
            .toList();
    if (!missing.isEmpty()) {
      throw new TableMismatchException(route.table(), missing);
    }
  }

  /** The columns of the changes' key; empty if no change is there to tell them. */
  Set<String> keyOf(Map<TopicPartition, Range> ranges) {
    Set<String> key = new TreeSet<>(route.rules().key());
    if (key.isEmpty()) {
      ShapeReader shapes = shapes(configuredSpecs());
      Found found = firstChange(ranges, shapes);
      key.addAll(found == null ? Set.of() : shapes.keyNames(found.record()));
    }
    return key;
  }

  /** Refuses a table that has columns which the changes have not. */
  void refuseToLoseColumns(RowShape table, Map<TopicPartition, Range> ranges) {
    refuseToLoseColumns(table, ranges, configuredSpecs());
  }

  /** A change writes the whole row, so a column that it does not have would become null. */
  private void refuseToLoseColumns(
      RowShape table, Map<TopicPartition, Range> ranges, Map<String, ColumnSpec> configured) {
    Found found = firstChange(ranges, shapes(configured));
    if (found != null && found.shape() instanceof ShapeResult.Discovered discovered) {
      Set<String> lost = new TreeSet<>(table.positions().keySet());
      lost.removeAll(discovered.shape().positions().keySet());
      if (!lost.isEmpty()) {
        throw new RefusedException(
            "Table "
                + route.table()
                + " cannot be adopted: it has columns that "
                + found.record().at()
                + " does not have, "
                + String.join(", ", lost)
                + ": their values would be lost when a row changes. Drop them, or keep this table in"
                + " another name");
      }
    }
  }

  private ShapeReader shapes(Map<String, ColumnSpec> configured) {
    return new ShapeReader(
        route.rules().key(), configured, messages.messages(), messages.unwrapped());
  }

  private record Found(RawRecord record, ShapeResult shape) {}

  private @Nullable Found firstChange(Map<TopicPartition, Range> ranges, ShapeReader shapes) {
    AtomicReference<@Nullable Found> found = new AtomicReference<>();
    kafka.search(
        ranges,
        record -> {
          ShapeResult result = shapes.read(record);
          if (!(result instanceof ShapeResult.NotAChange)) {
            found.set(new Found(record, result));
          }
          return found.get() != null;
        });
    return found.get();
  }

  private Map<String, ColumnSpec> configuredSpecs() {
    Map<String, ColumnSpec> specs = new LinkedHashMap<>();
    List<String> problems = new ArrayList<>();
    route
        .rules()
        .columns()
        .forEach(
            (name, text) -> {
              try {
                specs.put(name, ColumnSpec.parse(text));
              } catch (IllegalArgumentException e) {
                problems.add(name + ": " + e.getMessage());
              }
            });
    if (!problems.isEmpty()) {
      throw ConfigException.of("routes.columns", String.join("; ", problems));
    }
    return specs;
  }

  /** All columns as configured: the messages carry no schema, or there is none yet. */
  private Resolved configured(Map<String, ColumnSpec> configured, Set<String> messageKey) {
    Set<String> key = new TreeSet<>(route.rules().key());
    if (key.isEmpty()) {
      key.addAll(messageKey);
    }
    if (key.isEmpty()) {
      throw ConfigException.of(
          "routes.key",
          "is not set, and topic "
              + route.topic()
              + " has no change whose message key names the columns");
    }
    List<String> unknown = key.stream().filter(name -> !configured.containsKey(name)).toList();
    if (!unknown.isEmpty()) {
      throw ConfigException.of(
          "routes.columns",
          "key column " + String.join(", ", unknown) + " is not among them, expected its type");
    }
    List<Column> columns = new ArrayList<>();
    configured.forEach(
        (name, spec) -> columns.add(new Column(name, spec.type(), key.contains(name))));
    return resolved(new RowShape(columns), route.rules().columns());
  }

  private Resolved resolved(RowShape shape, Map<String, String> specs) {
    return new Resolved(
        new TableDefinition(
            route.table(),
            shape,
            route.rules().partition(),
            route.rules().properties(),
            route.rules().version(),
            write(specs),
            adopts),
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
