package io.tidemark.debezium;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.debezium.format.ConnectSchema;
import io.tidemark.debezium.format.LastUsed;
import io.tidemark.debezium.format.SchemaFields;
import io.tidemark.debezium.json.Problem;
import io.tidemark.debezium.value.Encoding;
import io.tidemark.debezium.value.RowBudget;
import io.tidemark.row.RowShape;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The plans of the schemas that were met last. Topics switch between few schemas; a replay meets
 * each again. Not thread-safe.
 */
final class PlanCache {
  /** A schema that came as text is kept as it is. */
  private static final long MAX_CHARS = 8 * 1024 * 1024;

  private static final int MAX_COUNT = 32;

  private final RowShape shape;
  private final Map<String, Encoding> encodings;
  private final RowBudget budget;
  private final RowPlan withoutSchema;
  private final @Nullable String member;
  private @Nullable ConnectSchema lastSchema;
  private RowPlan last;

  private final LastUsed<ConnectSchema, RowPlan> plans = new LastUsed<>(MAX_COUNT, MAX_CHARS);

  /**
   * Makes an empty one.
   *
   * @param encodings what is declared by column
   * @param member the field of the message's schema that describes the row; null if the schema
   *     itself does
   * @param budget what the parts of the rows' values are taken from
   */
  PlanCache(
      RowShape shape, Map<String, Encoding> encodings, @Nullable String member, RowBudget budget) {
    this.shape = shape;
    this.encodings = encodings;
    this.budget = budget;
    this.withoutSchema = RowPlan.ofShape(shape, encodings, budget);
    this.member = member;
    this.last = withoutSchema;
  }

  /** The plan for a message. */
  RowPlan plan(@Nullable ConnectSchema schema) throws Problem {
    if (schema == lastSchema) {
      return last;
    }
    RowPlan plan = schema == null ? withoutSchema : cached(schema);
    lastSchema = schema;
    last = plan;
    return plan;
  }

  private RowPlan cached(ConnectSchema schema) throws Problem {
    RowPlan plan = plans.get(schema);
    if (plan == null) {
      JsonNode tree = schema.tree();
      JsonNode row = member == null ? tree : SchemaFields.member(tree, member);
      plan = RowPlan.ofSchema(row, shape, encodings, budget);
      plans.put(schema, plan, schema.length());
    }
    return plan;
  }
}
