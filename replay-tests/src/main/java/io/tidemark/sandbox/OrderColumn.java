package io.tidemark.sandbox;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.script.OrdersTable;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * A column of {@code shop.orders} and the one text that stands for a value of it, once as
 * PostgreSQL writes it and once from what Iceberg's reader gives. Shares nothing with Tidemark's
 * decoder.
 *
 * @param name the column's name on both sides
 * @param sql the expression by which PostgreSQL gives the text, to the last digit
 * @param type the type that the column must have in Iceberg
 * @param text from a value that Iceberg's generic reader gave
 */
record OrderColumn(String name, String sql, Type type, Function<Object, String> text) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SQL_TIMESTAMP = "'YYYY-MM-DD\"T\"HH24:MI:SS.US'";
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS", Locale.ROOT);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS", Locale.ROOT);

  /** All columns, in the table's order. */
  static final List<OrderColumn> ALL =
      List.of(
          asText("id", Types.LongType.get()),
          asText("customer", Types.StringType.get()),
          new OrderColumn(
              "amount",
              "amount::text",
              Types.DecimalType.of(12, 2),
              value -> ((BigDecimal) value).toPlainString()),
          asText("qty", Types.IntegerType.get()),
          asText("status", Types.StringType.get()),
          asText("note", Types.StringType.get()),
          new OrderColumn(
              "placed_on",
              "to_char(placed_on, 'YYYY-MM-DD')",
              Types.DateType.get(),
              Object::toString),
          new OrderColumn(
              "updated_at",
              "to_char(updated_at AT TIME ZONE 'UTC', " + SQL_TIMESTAMP + ")",
              Types.TimestampType.withZone(),
              value ->
                  ((OffsetDateTime) value).withOffsetSameInstant(ZoneOffset.UTC).format(TIMESTAMP)),
          new OrderColumn(
              "delivered_at",
              "to_char(delivered_at, " + SQL_TIMESTAMP + ")",
              Types.TimestampType.withoutZone(),
              value -> ((LocalDateTime) value).format(TIMESTAMP)),
          asText("reference", Types.UUIDType.get()),
          new OrderColumn(
              "receipt",
              "encode(receipt, 'hex')",
              Types.BinaryType.get(),
              value -> hex((ByteBuffer) value)),
          asText("paid", Types.BooleanType.get()),
          new OrderColumn(
              "weight",
              // The sixteen digits of the IEEE value: NaN, infinities and -0.0 as they are.
              "encode(float8send(weight), 'hex')",
              Types.DoubleType.get(),
              value -> HexFormat.of().toHexDigits(Double.doubleToLongBits((Double) value))),
          new OrderColumn(
              "tags",
              "array_to_json(tags)::text",
              Types.ListType.ofOptional(1, Types.StringType.get()),
              OrderColumn::json),
          new OrderColumn(
              "pickup",
              "to_char(pickup, 'HH24:MI:SS.US')",
              Types.TimeType.get(),
              value -> ((LocalTime) value).format(TIME)),
          asText("details", Types.StringType.get()));

  /** The query that gives the text of every column of every row. */
  static String query() {
    return ALL.stream()
        .map(OrderColumn::sql)
        .collect(Collectors.joining(", ", "SELECT ", " FROM " + OrdersTable.NAME));
  }

  /** Whether a type in Iceberg is the expected one; ids of nested fields may differ. */
  boolean isOfType(Type found) {
    return withoutIds(found).equals(withoutIds(type));
  }

  private static OrderColumn asText(String name, Type type) {
    return new OrderColumn(name, name + "::text", type, Object::toString);
  }

  private static String withoutIds(Type type) {
    return type.isListType() ? "list<" + type.asListType().elementType() + ">" : type.toString();
  }

  private static String hex(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private static String json(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A list of strings must have a JSON form", e);
    }
  }
}
