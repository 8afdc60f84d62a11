package io.tidemark.bench;

/** The schemas that Kafka Connect's JSON converter puts in front of key and value. */
final class EnvelopeSchema {

  static final String KEY =
      "{\"type\":\"struct\",\"fields\":[{\"type\":\"int64\",\"optional\":false,\"field\":\"id\"}],"
          + "\"optional\":false,\"name\":\"bench.shop.sales.Key\"}";

  private static final String SOURCE =
      "{\"type\":\"struct\",\"fields\":["
          + field("string", false, "version")
          + field("string", false, "connector")
          + field("string", false, "name")
          + field("int64", false, "ts_ms")
          + "{\"type\":\"string\",\"optional\":true,\"name\":\"io.debezium.data.Enum\",\"version\":1,"
          + "\"parameters\":{\"allowed\":\"true,first,first_in_data_collection,"
          + "last_in_data_collection,last,false,incremental\"},\"default\":\"false\","
          + "\"field\":\"snapshot\"},"
          + field("string", false, "db")
          + field("string", true, "sequence")
          + field("int64", true, "ts_us")
          + field("int64", true, "ts_ns")
          + field("string", false, "schema")
          + field("string", false, "table")
          + field("int64", true, "txId")
          + field("int64", true, "lsn")
          + field("int64", true, "xmin")
          + field("string", true, "origin")
          + last("int64", true, "origin_lsn")
          + "],\"optional\":false,\"name\":\"io.debezium.connector.postgresql.Source\","
          + "\"version\":1,\"field\":\"source\"}";

  private static final String TRANSACTION =
      "{\"type\":\"struct\",\"fields\":["
          + field("string", false, "id")
          + field("int64", false, "total_order")
          + last("int64", false, "data_collection_order")
          + "],\"optional\":true,\"name\":\"event.block\",\"version\":1,\"field\":\"transaction\"}";

  static final String VALUE =
      "{\"type\":\"struct\",\"fields\":["
          + SalesColumn.rowSchema("before")
          + ","
          + SalesColumn.rowSchema("after")
          + ","
          + SOURCE
          + ","
          + TRANSACTION
          + ","
          + field("string", false, "op")
          + field("int64", true, "ts_ms")
          + field("int64", true, "ts_us")
          + last("int64", true, "ts_ns")
          + "],\"optional\":false,\"name\":\"bench.shop.sales.Envelope\",\"version\":2}";

  private EnvelopeSchema() {}

  private static String field(String type, boolean optional, String name) {
    return last(type, optional, name) + ",";
  }

  private static String last(String type, boolean optional, String name) {
    return "{\"type\":\"%s\",\"optional\":%s,\"field\":\"%s\"}".formatted(type, optional, name);
  }
}
