package io.tidemark.debezium.version;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.change.Position;
import io.tidemark.debezium.format.ConnectSchema;
import io.tidemark.debezium.format.SchemaFields;
import io.tidemark.debezium.json.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which versions in the row of a delete may be the connector's own invention.
 *
 * <p>Debezium writes a value for each column that is not optional, also where the source sent the
 * key alone: the default in the column's schema, and without one what its type has for nothing, of
 * a number 0. Its converters put the default in the place of null in others. A default can only be
 * known where the message has a schema.
 *
 * <p>Not thread-safe.
 */
final class InventedVersion {
  private final List<String> path;
  private @Nullable ConnectSchema lastSchema;
  private @Nullable Position lastDefault;

  /** One for a field of messages. */
  InventedVersion(List<String> path) {
    this.path = path;
  }

  /**
   * Whether a version may be invented.
   *
   * @param schema of the message; null if it has none
   */
  boolean mayBe(Position version, @Nullable ConnectSchema schema) throws Problem {
    if (version.equals(Position.ZERO)) {
      return true;
    }
    if (schema != null && schema != lastSchema) {
      lastDefault = position(SchemaFields.byDefault(schema, path));
      lastSchema = schema;
    }
    return schema != null && version.equals(lastDefault);
  }

  private static @Nullable Position position(JsonNode value) {
    JsonNode first = value.isArray() ? value.path(0) : value;
    return first.isIntegralNumber() && first.canConvertToLong()
        ? new Position(first.longValue(), value.path(1).asLong(), value.path(2).asLong())
        : null;
  }
}
