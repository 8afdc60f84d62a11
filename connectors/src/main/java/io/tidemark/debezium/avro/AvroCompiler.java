package io.tidemark.debezium.avro;

import io.tidemark.debezium.avro.AvroType.Kind;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import io.tidemark.debezium.registry.RegisteredSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** Compiles one registered schema. */
final class AvroCompiler {
  /** Finished types; null while a type is being compiled. */
  private final Map<Schema, @Nullable AvroType> compiled = new IdentityHashMap<>();

  private AvroCompiler() {}

  /**
   * The schema, compiled.
   *
   * @throws Problem if it is no Avro schema, or one that contains itself: no row does
   */
  static AvroSchema compile(RegisteredSchema registered) throws Problem {
    Schema schema;
    try {
      schema = parse(registered);
    } catch (RuntimeException | StackOverflowError notAvro) {
      // Beside its own exceptions, Avro's parser ends with whatever a text that is no schema leads
      // to.
      throw new Problem("not an Avro schema: " + JsonInput.quoted(firstLine(notAvro)));
    }
    AvroType type = new AvroCompiler().type(schema, 0); // first, since it refuses what has no end
    return new AvroSchema(type, new ConnectTree().of(schema, new HashMap<>()), registered.length());
  }

  /** Names and defaults are the registry's business; a message is read without them. */
  private static Schema parse(RegisteredSchema registered) {
    Schema.Parser parser =
        new Schema.Parser(NameValidator.NO_VALIDATION).setValidateDefaults(false);
    for (String reference : registered.references()) {
      parser.parse(reference);
    }
    return parser.parse(registered.text());
  }

  private AvroType type(Schema schema, int depth) throws Problem {
    if (depth > JsonInput.MAX_NESTING) {
      throw new Problem("an Avro schema nested deeper than " + JsonInput.MAX_NESTING + " levels");
    }
    AvroType known = compiled.get(schema);
    if (known != null) {
      return known;
    }
    if (compiled.containsKey(schema)) {
      throw new Problem(
          "an Avro schema in which record "
              + JsonInput.quoted(schema.getFullName())
              + " contains itself");
    }
    compiled.put(schema, null);
    AvroType type = compile(schema, depth);
    compiled.put(schema, type);
    return type;
  }

  private AvroType compile(Schema schema, int depth) throws Problem {
    return switch (schema.getType()) {
      case NULL -> AvroType.of(Kind.NULL);
      case BOOLEAN -> AvroType.of(Kind.BOOLEAN);
      case INT -> AvroType.of(Kind.INT);
      case LONG -> AvroType.of(Kind.LONG);
      case FLOAT -> AvroType.of(Kind.FLOAT);
      case DOUBLE -> AvroType.of(Kind.DOUBLE);
      case BYTES -> AvroType.of(Kind.BYTES);
      case STRING -> AvroType.of(Kind.STRING);
      case FIXED -> AvroType.fixed(schema.getFixedSize());
      case ENUM -> AvroType.enumeration(schema.getEnumSymbols());
      case ARRAY -> AvroType.many(Kind.ARRAY, type(schema.getElementType(), depth + 1));
      case MAP -> AvroType.many(Kind.MAP, type(schema.getValueType(), depth + 1));
      case UNION -> AvroType.union(types(schema.getTypes(), depth + 1));
      case RECORD -> {
        List<Schema> fields = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (Schema.Field field : schema.getFields()) {
          names.add(field.name());
          fields.add(field.schema());
        }
        yield AvroType.record(names, types(fields, depth + 1));
      }
    };
  }

  private List<AvroType> types(List<Schema> schemas, int depth) throws Problem {
    List<AvroType> types = new ArrayList<>();
    for (Schema schema : schemas) {
      types.add(type(schema, depth));
    }
    return types;
  }

  private static String firstLine(Throwable e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }
}
