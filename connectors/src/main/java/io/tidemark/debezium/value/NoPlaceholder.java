package io.tidemark.debezium.value;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.row.ColumnType;
import io.tidemark.row.ColumnType.Simple;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A type of PostgreSQL for which Debezium has no placeholder. Where an update leaves a large value
 * of it as it was (TOAST), the connector sends NULL, which no reader can tell from SQL's.
 *
 * <p>What becomes of each was seen with PostgreSQL 17 and Debezium 3.6.1, but where {@link #run}
 * says no: that is what the connector's code does (the classes {@code
 * UnchangedToastedReplicationMessageColumn}, {@code PostgresValueConverter} and {@code
 * TableSchemaBuilder}).
 *
 * @param type as SQL writes it; {@code enum} is any of them
 * @param key of the connector's setting that it depends on; empty if it is so with every setting
 * @param modes values of {@code key} with which it is so; empty if there is no key
 * @param signs how the schema of a message shows it: logical names without their package, Connect's
 *     names of types, {@code array<…>}; empty if it looks like a type that has a placeholder, or is
 *     one that hardly ever grows so large
 * @param fails whether {@code event.converting.failure.handling.mode=fail} stops the connector
 *     there
 * @param run whether it was seen, not read
 */
public record NoPlaceholder(
    String type, String key, Set<String> modes, Set<String> signs, boolean fails, boolean run) {

  private static final String BITS = "data.Bits";
  private static final String GEOMETRY = "data.geometry.Geometry";

  /**
   * {@code bit(n)} of so many bits is as small as the pointer that would stand for it, and stays.
   */
  private static final int SMALL_BITS = 128;

  /** All that are known. */
  public static final List<NoPlaceholder> ALL =
      List.of(
          always("smallint[]", "array<int16>"),
          always("real[]", "array<float>"),
          always("double precision[]", "array<double>"),
          always("numeric[]", "array<data.Decimal>", "array<data.VariableScaleDecimal>"),
          always("boolean[]", "array<boolean>"),
          always(
              "time[]",
              "array<time.Time>",
              "array<time.MicroTime>",
              "array<time.NanoTime>",
              "array<time.IsoTime>",
              "array<data.Time>"),
          always("timetz[]", "array<time.ZonedTime>"),
          always(
              "timestamp[]",
              "array<time.Timestamp>",
              "array<time.MicroTimestamp>",
              "array<time.NanoTimestamp>",
              "array<time.IsoTimestamp>",
              "array<data.Timestamp>"),
          always("timestamptz[]", "array<time.ZonedTimestamp>"),
          only("date[]", "time.precision.mode", Set.of("isostring", "connect"))
              .shownAs("array<time.IsoDate>", "array<data.Date>"),
          always("enum[]", "array<data.Enum>"),
          always("ltree[]", "array<data.Ltree>"),
          always("tsvector[]", "array<data.Tsvector>"),
          always("hstore[]", "array<map>"),
          always("bit varying", BITS),
          always("bit(n)", BITS),
          read("geometry", GEOMETRY),
          read("geography", "data.geometry.Geography"),
          read("path", GEOMETRY),
          read("polygon", GEOMETRY),
          read("geometry[]", "array<data.geometry.Geometry>"),
          read("geography[]", "array<data.geometry.Geography>"),
          read("vector", "data.DoubleVector"),
          read("halfvec", "data.FloatVector"),
          read("sparsevec", "data.SparseDoubleVector"),
          always("inet[]"),
          always("cidr[]"),
          always("macaddr[]"),
          always("macaddr8[]"),
          always("int4range[]"),
          always("int8range[]"),
          always("numrange[]"),
          always("daterange[]"),
          always("tsrange[]"),
          always("tstzrange[]"),
          always("citext[]"),
          always("\"char\"[]"),
          always("oid[]"),
          only("numeric", "decimal.handling.mode", Set.of("precise", "double")),
          only("bytea[]", "binary.handling.mode", Set.of("base64", "base64-url-safe", "hex")),
          only("bytea", "binary.handling.mode", Set.of("base64", "base64-url-safe")).quiet());

  private static final Map<ColumnType, String> DECLARED_ELEMENTS =
      Map.of(
          Simple.BOOLEAN, "array<boolean>",
          Simple.FLOAT, "array<float>",
          Simple.DOUBLE, "array<double>",
          Simple.TIME, "array<time.MicroTime>",
          Simple.TIMESTAMP, "array<time.MicroTimestamp>",
          Simple.TIMESTAMPTZ, "array<time.ZonedTimestamp>");

  /** Copies the sets. */
  public NoPlaceholder {
    modes = Set.copyOf(modes);
    signs = Set.copyOf(signs);
  }

  /**
   * Types that a column may have at the source, by the schema of a message.
   *
   * @param schema a column's Connect schema, as the JSON converter writes it
   * @return empty if its type has a placeholder, may have one for all that the schema says, or is
   *     never stored apart
   */
  public static List<String> types(JsonNode schema) {
    String sign = sign(schema);
    int length = schema.path("parameters").path("length").asInt(Integer.MAX_VALUE);
    return sign.equals(BITS) && length <= SMALL_BITS ? List.of() : types(sign);
  }

  /**
   * Types that a column may have at the source, by what is declared, which says less: an {@code
   * int} may be a {@code smallint}.
   *
   * @return empty if its type has a placeholder, or may have one for all that is declared
   */
  public static List<String> types(ColumnSpec declared) {
    if (declared.type() instanceof ColumnType.ListOf) {
      return types(elementSign(declared.parts().get(0)));
    }
    // A point has a place of its own in its row, and comes with x and y besides.
    boolean geometry =
        declared.type() instanceof ColumnType.Struct struct
            && struct.fields().get(0).name().equals("wkb");
    return geometry ? types(GEOMETRY) : List.of();
  }

  private static List<String> types(String sign) {
    List<String> types = new ArrayList<>();
    for (NoPlaceholder known : ALL) {
      if (known.signs.contains(sign)) {
        types.add(known.type);
      }
    }
    return types;
  }

  private static String sign(JsonNode schema) {
    String name = schema.path("name").asText("");
    if (!name.isEmpty()) {
      return name.replaceFirst("^(io\\.debezium|org\\.apache\\.kafka\\.connect)\\.", "");
    }
    String type = schema.path("type").asText("");
    return type.equals("array") ? "array<" + sign(schema.path("items")) + ">" : type;
  }

  private static String elementSign(ColumnSpec element) {
    ColumnType type = element.type();
    boolean number = element.encoding() == Encoding.Simple.DECIMAL;
    if (type instanceof ColumnType.Decimal
        || number
        || element.encoding() instanceof Encoding.Scaled) {
      return "array<data.Decimal>";
    }
    if (type == Simple.DATE && element.encoding() == Encoding.Simple.ISO) {
      return "array<time.IsoDate>";
    }
    if (type instanceof ColumnType.MapOf) {
      return "array<map>";
    }
    return type instanceof ColumnType.Struct
        ? "array<data.geometry.Geometry>"
        : DECLARED_ELEMENTS.getOrDefault(type, "");
  }

  private static NoPlaceholder always(String type, String... signs) {
    return new NoPlaceholder(type, "", Set.of(), Set.of(signs), true, true);
  }

  private static NoPlaceholder only(String type, String key, Set<String> modes) {
    return new NoPlaceholder(type, key, modes, Set.of(), true, true);
  }

  private static NoPlaceholder read(String type, String sign) {
    return new NoPlaceholder(type, "", Set.of(), Set.of(sign), true, false);
  }

  private NoPlaceholder shownAs(String... shown) {
    return new NoPlaceholder(type, key, modes, Set.of(shown), fails, run);
  }

  private NoPlaceholder quiet() {
    return new NoPlaceholder(type, key, modes, signs, false, run);
  }
}
