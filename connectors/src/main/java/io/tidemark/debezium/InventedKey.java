package io.tidemark.debezium;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.debezium.format.ConnectSchema;
import io.tidemark.debezium.format.Message;
import io.tidemark.debezium.format.SchemaFields;
import io.tidemark.debezium.json.Problem;
import io.tidemark.debezium.version.SourceBlock;
import io.tidemark.row.Column;
import io.tidemark.row.RowShape;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which key columns of a deleted row may be the connector's own invention, where the row's key is
 * the route's own choice.
 *
 * <p>Debezium writes a value for each column that is not optional, also where the source sent its
 * own key alone: the default in the column's schema, and without one what its type has for nothing.
 * Its converters put the default in the place of null in others. A delete of such a key is of a row
 * that there is not. A default can only be known where the message has a schema.
 *
 * <p>The message key has the source's own key, so that what it names is real, unless {@code
 * message.key.columns} took it from other columns: nothing in a message tells that. The message key
 * is read only where a value may be invented.
 *
 * <p>Not thread-safe.
 */
final class InventedKey {
  /**
   * What Debezium's value converters (JdbcValueConverters, PostgresValueConverter of 3.6) write as
   * text for nothing, beside zero: text, JSON, an interval, times and dates.
   */
  private static final Set<String> NOTHING =
      Set.of("", "{}", "P0Y0M0DT0H0M0S", "00:00:00Z", "1970-01-01Z", "1970-01-01T00:00:00Z");

  private static final Pattern ZERO = Pattern.compile("0(\\.0+)?");

  private final boolean guards;
  private final RowShape shape;
  private final RowReader rows;
  private final KeyReader keys;
  private final @Nullable String member;
  private final KeyValues defaults;
  private final @Nullable String[] unread;
  private @Nullable ConnectSchema lastSchema;

  /**
   * Makes one.
   *
   * @param member the field of messages that is the deleted row; null if the message itself is
   */
  InventedKey(
      RowShape shape,
      DecoderSettings settings,
      RowReader rows,
      KeyReader keys,
      @Nullable String member) {
    this.guards = !settings.keyColumns().isEmpty() && !settings.wholeBefore();
    this.shape = shape;
    this.rows = rows;
    this.keys = keys;
    this.member = member;
    this.defaults = new KeyValues(shape);
    this.unread = new String[shape.columns().size()];
  }

  /**
   * Checks the key of a row that the source may not have sent.
   *
   * @param source of the record, as far as it is said
   * @param plan that the row was read by
   * @param row its key columns, complete
   * @throws Problem if one may be invented
   */
  void refuse(RawRecord record, SourceBlock source, Message message, RowPlan plan, KeyValues row)
      throws Problem {
    if (!guards || source.hasWholeDeletes()) {
      return;
    }
    readDefaults(message.schema(), plan);
    for (int position : shape.keyPositions()) {
      String found = found(row, position);
      String column = shape.columns().get(position).name();
      if (found != null && !keys.tells(record, row, column)) {
        throw problem(column, found);
      }
    }
  }

  /** What a value is if it may be invented; null if it is the row's own for sure. */
  private @Nullable String found(KeyValues row, int position) {
    if (isNothing(row, position)) {
      return "what its type has for nothing (0, false, no text, no bytes, 1970)";
    }
    if (defaults.isSet(position) && row.sameAt(position, defaults)) {
      return "the column's default";
    }
    String problem = unread[position];
    return problem == null
        ? null
        : "a value that is not compared with the column's default, which cannot be read ("
            + problem
            + ")";
  }

  private static boolean isNothing(KeyValues row, int position) {
    Object value = row.object(position);
    if (value == null) {
      return row.number(position) == 0;
    }
    if (value instanceof String text) {
      return NOTHING.contains(text) || ZERO.matcher(text).matches();
    }
    if (value instanceof byte[] bytes) {
      return bytes.length == 0;
    }
    return value instanceof BigDecimal decimal && decimal.signum() == 0;
  }

  private void readDefaults(@Nullable ConnectSchema schema, RowPlan plan) throws Problem {
    if (schema == lastSchema) {
      return;
    }
    defaults.start();
    for (int position : shape.keyPositions()) {
      unread[position] = null;
      if (schema != null) {
        readDefault(schema, plan, position);
      }
    }
    lastSchema = schema;
  }

  private void readDefault(ConnectSchema schema, RowPlan plan, int position) throws Problem {
    Column column = shape.columns().get(position);
    String name = column.name();
    JsonNode value =
        SchemaFields.byDefault(schema, member == null ? List.of(name) : List.of(member, name));
    RowPlan.Field field = plan.named(name);
    if (field == null || value.isMissingNode() || value.isNull()) {
      return;
    }
    rows.budget().start();
    try (JsonParser in = value.traverse()) {
      in.nextToken();
      field.converter().convert(in, defaults, position);
    } catch (Problem problem) {
      unread[position] = problem.text();
    } catch (IOException broken) {
      unread[position] = "of another form";
    }
  }

  private Problem problem(String column, String found) {
    return new Problem(
        "key column "
            + column
            + " of "
            + (member == null ? "a deleted row" : member)
            + ": found "
            + found
            + ", which may be invented, expected a value that the source sent. The message key does not"
            + " name the column, and without REPLICA IDENTITY FULL on the source table "
            + (member == null ? "a deleted row" : member)
            + " holds the source's own key alone, and such values of Debezium for the rest: the row of"
            + " the real key would stay. Set REPLICA IDENTITY FULL, put this record aside and delete its"
            + " row once more; once all deletes that are still to be read hold the whole row for sure, say"
            + " so with before: full in the route. Or have the source's own key: leave out key"
            + " in the route (message.key.columns would be filled with the same values)");
  }
}
