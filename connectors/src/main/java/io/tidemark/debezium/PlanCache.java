package io.tidemark.debezium;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import io.tidemark.debezium.value.Encoding;
import io.tidemark.row.RowShape;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The plans of the schemas that were met last. Topics switch between few schemas; a replay meets
 * each again. Not thread-safe.
 */
final class PlanCache {
  private static final int CAPACITY = 32;

  private static final ObjectMapper SCHEMAS =
      new ObjectMapper(
          JsonFactory.builder()
              .streamReadConstraints(
                  StreamReadConstraints.builder().maxNestingDepth(JsonInput.MAX_NESTING).build())
              .build()
              .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION));

  private final RowShape shape;
  private final Map<String, Encoding> encodings;
  private final RowPlan withoutSchema;
  private final @Nullable String member;
  private byte @Nullable [] lastSchema;
  private RowPlan last;

  private final Map<ByteBuffer, RowPlan> plans =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, RowPlan> eldest) {
          return size() > CAPACITY;
        }
      };

  /**
   * Makes an empty one.
   *
   * @param encodings what is declared by column
   * @param member the field of the message's schema that describes the row; null if the schema
   *     itself does
   */
  PlanCache(RowShape shape, Map<String, Encoding> encodings, @Nullable String member) {
    this.shape = shape;
    this.encodings = encodings;
    this.withoutSchema = RowPlan.ofShape(shape, encodings);
    this.member = member;
    this.last = withoutSchema;
  }

  /** The plan for a message. */
  RowPlan plan(byte @Nullable [] schema) throws Problem {
    if (schema == lastSchema) {
      return last;
    }
    RowPlan plan = schema == null ? withoutSchema : cached(schema);
    lastSchema = schema;
    last = plan;
    return plan;
  }

  /** A Connect schema as a tree. */
  static JsonNode parse(byte[] schema) throws Problem {
    try {
      return SCHEMAS.readTree(schema);
    } catch (IOException broken) {
      throw JsonInput.broken(broken).in("schema");
    }
  }

  /** The member of a struct's schema that has this name; a missing node if there is none. */
  static JsonNode member(JsonNode struct, String name) {
    JsonNode fields = struct.path("fields");
    for (JsonNode field : fields) {
      if (field.path("field").asText("").equals(name)) {
        return field;
      }
    }
    return fields.path("");
  }

  private RowPlan cached(byte[] schema) throws Problem {
    ByteBuffer name = ByteBuffer.wrap(schema);
    RowPlan plan = plans.get(name);
    if (plan == null) {
      JsonNode tree = parse(schema);
      plan = RowPlan.ofSchema(member == null ? tree : member(tree, member), shape, encodings);
      plans.put(name, plan);
    }
    return plan;
  }
}
