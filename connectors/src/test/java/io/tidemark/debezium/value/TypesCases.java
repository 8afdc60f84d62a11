package io.tidemark.debezium.value;

import java.util.List;

/** What sources send: {@code source types | setting | schema}. */
final class TypesCases {

  private static final String DECIMAL =
      "{\"type\":\"bytes\",\"name\":\"org.apache.kafka.connect.data.Decimal\",\"parameters\":{\"scale\":\"%s\"%s}}";
  private static final String PRECISION = ",\"connect.decimal.precision\":\"%s\"";
  private static final String POINT =
      "{\"type\":\"struct\",\"name\":\"io.debezium.data.geometry.%s\",\"fields\":[%s"
          + "{\"field\":\"wkb\",\"type\":\"bytes\"},{\"field\":\"srid\",\"type\":\"int32\"}]}";
  private static final String XY =
      "{\"field\":\"x\",\"type\":\"double\"},{\"field\":\"y\",\"type\":\"double\"},";

  static final List<String> POSTGRES =
      List.of(
          "`boolean`, `bit(1)` |  | " + type("boolean"),
          "`smallint` |  | " + type("int16"),
          "`integer` |  | " + type("int32"),
          "`bigint`, `oid` |  | " + type("int64"),
          "`real` |  | " + type("float"),
          "`double precision` |  | " + type("double"),
          "`numeric(10, 2)` |  | " + decimal("2", "10"),
          "`numeric(65, 30)`: more than 38 digits |  | " + decimal("30", "65"),
          "`numeric` |  | " + type("struct", "data.VariableScaleDecimal"),
          "`money` |  | " + decimal("2", ""),
          "any of these | `decimal.handling.mode=string` | " + type("string"),
          "any of these | `decimal.handling.mode=double` | " + type("double"),
          "`text`, `varchar`, `char`, `citext`, `inet`, `cidr`, `macaddr`, ranges |  | "
              + type("string"),
          "`json`, `jsonb`, `hstore` |  | " + type("string", "data.Json"),
          "`hstore` | `hstore.handling.mode=map` | {\"type\":\"map\",\"keys\":"
              + type("string")
              + ",\"values\":"
              + type("string")
              + "}",
          "`xml` |  | " + type("string", "data.Xml"),
          "`ltree` |  | " + type("string", "data.Ltree"),
          "`tsvector` |  | " + type("string", "data.Tsvector"),
          "enums |  | " + type("string", "data.Enum"),
          "`bytea` |  | " + type("bytes"),
          "`bytea` | `binary.handling.mode=base64`, `base64-url-safe`, `hex` | " + type("string"),
          "`bit(n)`, `bit varying`: little-endian as sent |  | " + type("bytes", "data.Bits"),
          "`uuid` |  | " + type("string", "data.Uuid"),
          "`date` |  | " + type("int32", "time.Date"),
          "`time(3)` and below |  | " + type("int32", "time.Time"),
          "`time` | `adaptive`, `adaptive_time_microseconds`, `microseconds` | "
              + type("int64", "time.MicroTime"),
          "`timetz`: in UTC, as sent |  | " + type("string", "time.ZonedTime"),
          "`timestamp(3)` and below |  | " + type("int64", "time.Timestamp"),
          "`timestamp` | `adaptive`, `adaptive_time_microseconds`, `microseconds` | "
              + type("int64", "time.MicroTimestamp"),
          "`timestamptz` |  | " + type("string", "time.ZonedTimestamp"),
          "`date` | `time.precision.mode=connect` | " + connect("int32", "Date"),
          "`time` | `time.precision.mode=connect` | " + connect("int32", "Time"),
          "`timestamp` | `time.precision.mode=connect` | " + connect("int64", "Timestamp"),
          "`time` | `time.precision.mode=nanoseconds` | " + type("int64", "time.NanoTime"),
          "`timestamp` | `time.precision.mode=nanoseconds` | "
              + type("int64", "time.NanoTimestamp"),
          "`date` | `time.precision.mode=isostring` | " + type("string", "time.IsoDate"),
          "`time` | `time.precision.mode=isostring` | " + type("string", "time.IsoTime"),
          "`timestamp` | `time.precision.mode=isostring` | " + type("string", "time.IsoTimestamp"),
          "`interval`: microseconds |  | " + type("int64", "time.MicroDuration"),
          "`interval` | `interval.handling.mode=string` | " + type("string", "time.Interval"),
          "`point` |  | " + POINT.formatted("Point", XY),
          "PostGIS, `line`, `path`, `polygon` |  | " + POINT.formatted("Geometry", ""),
          "arrays of any of these |  | {\"type\":\"array\",\"items\":" + type("string") + "}");

  static final List<String> MYSQL =
      List.of(
          "`bit(1)` |  | " + type("boolean"),
          "`boolean`, `tinyint(1)`: either, see below |  | " + type("int16"),
          "`boolean`, `tinyint(1)`: either, see below |  | " + type("boolean"),
          "`tinyint`, `smallint`, `mediumint`, `int`, and unsigned ones but `int` |  | "
              + type("int32"),
          "`int unsigned`, `bigint`, `bigint unsigned` |  | " + type("int64"),
          "`bigint unsigned` | `bigint.unsigned.handling.mode=precise` | " + decimal("0", ""),
          "`decimal(10, 2)` |  | " + decimal("2", "10"),
          "`decimal(65, 30)`: more than 38 digits |  | " + decimal("30", "65"),
          "`float` |  | " + type("float"),
          "`double` |  | " + type("double"),
          "`char`, `varchar`, `text` |  | " + type("string"),
          "`json` |  | " + type("string", "data.Json"),
          "`enum` |  | " + type("string", "data.Enum"),
          "`set`: names with commas between |  | " + type("string", "data.EnumSet"),
          "`binary`, `varbinary`, `blob` |  | " + type("bytes"),
          "`bit(n)`: little-endian as sent |  | " + type("bytes", "data.Bits"),
          "`uuid` (MariaDB) |  | " + type("string"),
          "`date` |  | " + type("int32", "time.Date"),
          "`time` |  | " + type("int64", "time.MicroTime"),
          "`datetime(3)` and below |  | " + type("int64", "time.Timestamp"),
          "`datetime(6)` |  | " + type("int64", "time.MicroTimestamp"),
          "`timestamp` |  | " + type("string", "time.ZonedTimestamp"),
          "`year` |  | " + type("int32", "time.Year"),
          "`point` |  | " + POINT.formatted("Point", XY),
          "`geometry` and its kin |  | " + POINT.formatted("Geometry", ""));

  static final List<String> OTHERS =
      List.of(
          "`NUMBER` (Oracle) |  | " + type("struct", "data.VariableScaleDecimal"),
          "`INTERVAL` (Oracle) |  | " + type("int64", "time.MicroDuration"),
          "durations in nanoseconds |  | " + type("int64", "time.NanoDuration"),
          "dates | `time.precision.mode=structured` | " + type("struct", "time.StructuredDate"),
          "any other logical name: by its Connect type |  | "
              + "{\"type\":\"string\",\"name\":\"com.example.Anything\"}",
          "any other time |  | " + type("int64", "time.Anything"));

  /** {@code specification | value}. */
  static final List<String> UNREPRESENTABLE =
      List.of(
          "date | -2147472692",
          "date(iso) | \"infinity\"",
          "time(micros) | 86400000000",
          "time(micros) | -3020399000000",
          "time(nanos) | 1",
          "timestamp(micros) | 9223372036825200000",
          "timestamp(millis) | -9223372036832400",
          "timestamp(nanos) | 9223372036854775807",
          "timestamp(micros) | -9223372036854775808",
          "timestamp(millis) | 9223372036854776",
          "timestamptz | \"infinity\"",
          "timestamptz | \"+294276-12-31T23:59:59.999999Z\"",
          "timestamptz | \"2024-02-29T00:00:00.0000001Z\"",
          "decimal(4, 2) | 123.4",
          "decimal(4, 2) | 1.234",
          "decimal(4, 2, text) | \"NAN\"",
          "boolean | 2",
          "list<date> | [0, -2147472692]");

  private TypesCases() {}

  private static String type(String type) {
    return "{\"type\":\"" + type + "\"}";
  }

  private static String type(String type, String name) {
    return "{\"type\":\"" + type + "\",\"name\":\"io.debezium." + name + "\"}";
  }

  private static String connect(String type, String name) {
    return "{\"type\":\"" + type + "\",\"name\":\"org.apache.kafka.connect.data." + name + "\"}";
  }

  private static String decimal(String scale, String precision) {
    return DECIMAL.formatted(scale, precision.isEmpty() ? "" : PRECISION.formatted(precision));
  }
}
