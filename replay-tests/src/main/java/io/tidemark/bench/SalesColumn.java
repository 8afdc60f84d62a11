package io.tidemark.bench;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A column of {@code shop.sales}, the table whose changes are drained.
 *
 * @param schema what Debezium says of it, the inside of a JSON object
 * @param sent the type that Flink SQL is told for what Debezium sends
 * @param kept the type of the Iceberg table in Flink SQL
 * @param spec the type as Tidemark's configuration has it
 */
record SalesColumn(String name, String schema, String sent, String kept, String spec) {

  static final List<SalesColumn> ALL =
      List.of(
          new SalesColumn("id", typed("int64", false), "BIGINT", "BIGINT NOT NULL", "long"),
          same("customer_id", "int64", "BIGINT", "long"),
          same("product_id", "int32", "INT", "int"),
          text("status"),
          same("quantity", "int32", "INT", "int"),
          // decimal.handling.mode=string: the stock format cannot read Debezium's base64 decimals.
          new SalesColumn(
              "price",
              typed("string", true),
              "DECIMAL(12, 2)",
              "DECIMAL(12, 2)",
              "decimal(12, 2, text)"),
          same("discount", "double", "DOUBLE", "double"),
          same("paid", "boolean", "BOOLEAN", "boolean"),
          text("currency"),
          text("email"),
          text("ship_name"),
          text("ship_street"),
          text("ship_city"),
          text("ship_country"),
          new SalesColumn(
              "ordered_on", logical("int32", "io.debezium.time.Date"), "INT", "DATE", "date"),
          instant("created_at"),
          instant("updated_at"),
          text("note"));

  static final String KEY = "id";

  /** What Flink SQL selects to get from what is sent to what is kept. */
  String expression() {
    // Debezium sends days since the epoch, the stock format reads ISO dates only.
    return kept.equals("DATE") ? "TIMESTAMPADD(DAY, " + name + ", DATE '1970-01-01')" : name;
  }

  /** Schema of the whole row, as a field of the envelope's. */
  static String rowSchema(String field) {
    return ALL.stream()
        .map(column -> "{" + column.schema + ",\"field\":\"" + column.name + "\"}")
        .collect(
            Collectors.joining(
                ",",
                "{\"type\":\"struct\",\"fields\":[",
                "],\"optional\":true,\"name\":\"bench.shop.sales.Value\",\"field\":\""
                    + field
                    + "\"}"));
  }

  private static SalesColumn text(String name) {
    return same(name, "string", "STRING", "string");
  }

  private static SalesColumn same(String name, String connect, String sql, String spec) {
    return new SalesColumn(name, typed(connect, true), sql, sql, spec);
  }

  private static SalesColumn instant(String name) {
    return new SalesColumn(
        name,
        logical("string", "io.debezium.time.ZonedTimestamp"),
        "TIMESTAMP_LTZ(6)",
        "TIMESTAMP_LTZ(6)",
        "timestamptz");
  }

  private static String typed(String type, boolean optional) {
    return "\"type\":\"" + type + "\",\"optional\":" + optional;
  }

  private static String logical(String type, String name) {
    return typed(type, true) + ",\"name\":\"" + name + "\",\"version\":1";
  }
}
