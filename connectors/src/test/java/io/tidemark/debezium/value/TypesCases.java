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

  private static final String CIRCLE =
      "{\"type\":\"struct\",\"name\":\"io.debezium.data.geometry.Circle\",\"fields\":[%s,"
          + "{\"field\":\"radius\",\"type\":\"double\"}]}";
  private static final String LINE =
      "{\"type\":\"struct\",\"name\":\"io.debezium.data.geometry.Line\",\"fields\":["
          + "{\"field\":\"a\",\"type\":\"double\"},{\"field\":\"b\",\"type\":\"double\"},"
          + "{\"field\":\"c\",\"type\":\"double\"}]}";

  private static final String SPARSE =
      "{\"type\":\"struct\",\"name\":\"io.debezium.data.SparseDoubleVector\",\"fields\":["
          + "{\"field\":\"dimensions\",\"type\":\"int16\"},{\"field\":\"vector\",\"type\":\"map\","
          + "\"keys\":{\"type\":\"int16\"},\"values\":{\"type\":\"double\"}}]}";

  private static final String MICROSECONDS = " | `time.precision.mode=microseconds` | ";
  private static final String NANOSECONDS = " | `time.precision.mode=nanoseconds` | ";
  private static final String CONNECT = " | `time.precision.mode=connect` | ";
  private static final String ISOSTRING = " | `time.precision.mode=isostring` | ";
  private static final String STRUCTURED = " | `time.precision.mode=structured` | ";
  private static final String DECIMALS = " | `decimal.handling.mode=";
  private static final String BINARIES =
      " | `binary.handling.mode=base64`, `base64-url-safe`, `hex` | ";
  private static final String INTERVALS = " | `interval.handling.mode=string` | ";

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
          "`geometry` (PostGIS) |  | " + POINT.formatted("Geometry", ""),
          "`geography` (PostGIS) |  | " + POINT.formatted("Geography", ""),
          "`box`, `lseg`, `path`, `polygon`, from Debezium 3.7 |  | "
              + POINT.formatted("Geometry", "").replace("]}", "," + extensions() + "]}"),
          "`circle`, from Debezium 3.7 |  | " + CIRCLE.formatted(center()),
          "`line`, from Debezium 3.7 |  | " + LINE,
          "`date`" + STRUCTURED + type("struct", "time.StructuredDate"),
          "`time`" + STRUCTURED + type("struct", "time.StructuredTime"),
          "`timetz`" + STRUCTURED + type("struct", "time.StructuredZonedTime"),
          "`timestamp`" + STRUCTURED + type("struct", "time.StructuredTimestamp"),
          "`timestamptz`" + STRUCTURED + type("struct", "time.StructuredZonedTimestamp"),
          "`interval`" + STRUCTURED + type("struct", "time.StructuredDuration"),
          "`vector` (pgvector) |  | " + vector("Double", "double"),
          "`halfvec` (pgvector) |  | " + vector("Float", "float"),
          "`sparsevec` (pgvector) |  | " + SPARSE,
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
          "`geometry` and its kin |  | " + POINT.formatted("Geometry", ""),
          "`vector` (MySQL 9) |  | " + vector("Float", "float"),
          "`decimal`" + DECIMALS + "string` | " + type("string"),
          "`decimal`" + DECIMALS + "double` | " + type("double"),
          "`binary`, `varbinary`, `blob`" + BINARIES + type("string"),
          "`date`" + CONNECT + connect("int32", "Date"),
          "`time`" + CONNECT + connect("int32", "Time"),
          "`datetime`" + CONNECT + connect("int64", "Timestamp"),
          "`time`" + MICROSECONDS + type("int64", "time.MicroTime"),
          "`datetime`" + MICROSECONDS + type("int64", "time.MicroTimestamp"),
          "`time`" + NANOSECONDS + type("int64", "time.NanoTime"),
          "`datetime`" + NANOSECONDS + type("int64", "time.NanoTimestamp"),
          "`date`" + ISOSTRING + type("string", "time.IsoDate"),
          "`time`" + ISOSTRING + type("string", "time.IsoTime"),
          "`datetime`" + ISOSTRING + type("string", "time.IsoTimestamp"),
          "`date`" + STRUCTURED + type("struct", "time.StructuredDate"),
          "`time`" + STRUCTURED + type("struct", "time.StructuredDuration"),
          "`datetime`" + STRUCTURED + type("struct", "time.StructuredTimestamp"),
          "`timestamp`" + STRUCTURED + type("struct", "time.StructuredZonedTimestamp"));

  static final List<String> SQL_SERVER =
      List.of(
          "`bit` |  | " + type("boolean"),
          "`tinyint`, `smallint` |  | " + type("int16"),
          "`int` |  | " + type("int32"),
          "`bigint` |  | " + type("int64"),
          "`real` |  | " + type("float"),
          "`float` |  | " + type("double"),
          "`decimal(10, 2)`, `numeric(10, 2)` |  | " + decimal("2", "10"),
          "`money` |  | " + decimal("4", "19"),
          "`smallmoney` |  | " + decimal("4", "10"),
          "decimals and money" + DECIMALS + "string` | " + type("string"),
          "decimals and money" + DECIMALS + "double` | " + type("double"),
          "`char`, `varchar`, `text`, `nchar`, `nvarchar`, `ntext` |  | " + type("string"),
          "`uniqueidentifier` |  | " + type("string"),
          "`xml` |  | " + type("string", "data.Xml"),
          "`binary`, `varbinary` |  | " + type("bytes"),
          "`binary`, `varbinary`" + BINARIES + type("string"),
          "`date` |  | " + type("int32", "time.Date"),
          "`time(3)` and below |  | " + type("int32", "time.Time"),
          "`time(4)` to `time(6)` |  | " + type("int64", "time.MicroTime"),
          "`time(7)`: a seventh digit fits no column |  | " + type("int64", "time.NanoTime"),
          "`datetime`, `smalldatetime`, `datetime2(3)` and below |  | "
              + type("int64", "time.Timestamp"),
          "`datetime2(4)` to `datetime2(6)` |  | " + type("int64", "time.MicroTimestamp"),
          "`datetime2(7)`: a seventh digit fits no column |  | "
              + type("int64", "time.NanoTimestamp"),
          "`datetimeoffset`: in UTC, as sent; a seventh digit fits no column |  | "
              + type("string", "time.ZonedTimestamp"),
          "`date`" + CONNECT + connect("int32", "Date"),
          "`time`" + CONNECT + connect("int32", "Time"),
          "`datetime2` and its kin" + CONNECT + connect("int64", "Timestamp"),
          "`date`" + ISOSTRING + type("string", "time.IsoDate"),
          "`time`" + ISOSTRING + type("string", "time.IsoTime"),
          "`datetime2` and its kin" + ISOSTRING + type("string", "time.IsoTimestamp"),
          "`date`" + STRUCTURED + type("struct", "time.StructuredDate"),
          "`time`" + STRUCTURED + type("struct", "time.StructuredTime"),
          "`datetime2` and its kin" + STRUCTURED + type("struct", "time.StructuredTimestamp"),
          "`datetimeoffset`" + STRUCTURED + type("struct", "time.StructuredZonedTimestamp"));

  static final List<String> ORACLE =
      List.of(
          "`NUMBER(2)` and below |  | " + type("int8"),
          "`NUMBER(3)`, `NUMBER(4)` |  | " + type("int16"),
          "`NUMBER(5)` to `NUMBER(9)` |  | " + type("int32"),
          "`NUMBER(10)` to `NUMBER(18)` |  | " + type("int64"),
          "`NUMBER(6, -2)`: as `NUMBER(8)` |  | " + type("int32"),
          "`NUMBER(19)` to `NUMBER(38)`; `INTEGER`, `SMALLINT`, which are `NUMBER(38)` |  | "
              + decimal("0", "38"),
          "`NUMBER(10, 2)` |  | " + decimal("2", "10"),
          "`NUMBER`, `NUMBER(*)`, `FLOAT`, `REAL`, `DOUBLE PRECISION` |  | "
              + type("struct", "data.VariableScaleDecimal"),
          "decimals" + DECIMALS + "string` | " + type("string"),
          "decimals" + DECIMALS + "double` | " + type("double"),
          "`BINARY_FLOAT` |  | " + type("float"),
          "`BINARY_DOUBLE` |  | " + type("double"),
          "`CHAR`, `NCHAR`, `VARCHAR2`, `NVARCHAR2`, `CLOB`, `NCLOB`, `ROWID` |  | "
              + type("string"),
          "`XMLTYPE` |  | " + type("string", "data.Xml"),
          "`BLOB`, `RAW` |  | " + type("bytes"),
          "`BLOB`, `RAW`" + BINARIES + type("string"),
          "`DATE`, which has a time; `TIMESTAMP(3)` and below |  | "
              + type("int64", "time.Timestamp"),
          "`TIMESTAMP`, `TIMESTAMP(4)` to `(6)` |  | " + type("int64", "time.MicroTimestamp"),
          "`TIMESTAMP(7)` and above: digits below the microsecond fit no column |  | "
              + type("int64", "time.NanoTimestamp"),
          "`TIMESTAMP WITH TIME ZONE`, `WITH LOCAL TIME ZONE` |  | "
              + type("string", "time.ZonedTimestamp"),
          "`INTERVAL`: microseconds |  | " + type("int64", "time.MicroDuration"),
          "`INTERVAL`" + INTERVALS + type("string", "time.Interval"),
          "`DATE`, `TIMESTAMP`" + CONNECT + connect("int64", "Timestamp"),
          "`DATE`, `TIMESTAMP`" + ISOSTRING + type("string", "time.IsoTimestamp"),
          "`DATE`, `TIMESTAMP`" + STRUCTURED + type("struct", "time.StructuredTimestamp"),
          "`TIMESTAMP WITH TIME ZONE`"
              + STRUCTURED
              + type("struct", "time.StructuredZonedTimestamp"),
          "`INTERVAL`" + STRUCTURED + type("struct", "time.StructuredDuration"));

  static final List<String> DB2 =
      List.of(
          "`BOOLEAN`, in snapshots only |  | " + type("boolean"),
          "`SMALLINT` |  | " + type("int16"),
          "`INTEGER` |  | " + type("int32"),
          "`BIGINT` |  | " + type("int64"),
          "`REAL` |  | " + type("float"),
          "`DOUBLE` |  | " + type("double"),
          "`DECIMAL(10, 2)`, `NUMERIC(10, 2)` |  | " + decimal("2", "10"),
          "`CHAR`, `VARCHAR`, `VARGRAPHIC`, `CLOB`, `DBCLOB` |  | " + type("string"),
          "`XML` |  | " + type("string", "data.Xml"),
          "`BINARY`, `VARBINARY`, `BLOB` |  | " + type("bytes"),
          "`DATE` |  | " + type("int32", "time.Date"),
          "`TIME` |  | " + type("int32", "time.Time"),
          "`TIMESTAMP(3)` and below |  | " + type("int64", "time.Timestamp"),
          "`TIMESTAMP` |  | " + type("int64", "time.MicroTimestamp"),
          "`DATE`" + CONNECT + connect("int32", "Date"),
          "`TIME`" + CONNECT + connect("int32", "Time"),
          "`TIMESTAMP`" + CONNECT + connect("int64", "Timestamp"),
          "`DATE`" + ISOSTRING + type("string", "time.IsoDate"),
          "`TIME`" + ISOSTRING + type("string", "time.IsoTime"),
          "`TIMESTAMP`" + ISOSTRING + type("string", "time.IsoTimestamp"),
          "`DATE`" + STRUCTURED + type("struct", "time.StructuredDate"),
          "`TIME`" + STRUCTURED + type("struct", "time.StructuredTime"),
          "`TIMESTAMP`" + STRUCTURED + type("struct", "time.StructuredTimestamp"));

  static final List<String> VITESS =
      List.of(
          "`boolean`, `tinyint`, `smallint` |  | " + type("int16"),
          "`mediumint`, `int` |  | " + type("int32"),
          "`bigint` |  | " + type("int64"),
          "`bigint unsigned` |  | " + type("string"),
          "`bigint unsigned` | `bigint.unsigned.handling.mode=long` | " + type("int64"),
          "`bigint unsigned` | `bigint.unsigned.handling.mode=precise` | " + decimal("0", ""),
          "`float`, `double` |  | " + type("double"),
          "`decimal` |  | " + type("string"),
          "`char`, `varchar`, `text` |  | " + type("string"),
          "`json` |  | " + type("string", "data.Json"),
          "`enum` |  | " + type("string", "data.Enum"),
          "`set` |  | " + type("string", "data.EnumSet"),
          "`binary`, `varbinary`, `blob` |  | " + type("bytes"),
          "`year` |  | " + type("int32", "time.Year"),
          "`date` |  | " + type("int32", "time.Date"),
          "`time` |  | " + type("int64", "time.MicroTime"),
          "`datetime(3)` and below |  | " + type("int64", "time.Timestamp"),
          "`datetime(6)` |  | " + type("int64", "time.MicroTimestamp"),
          "`timestamp` |  | " + type("string", "time.ZonedTimestamp"),
          "`date`" + CONNECT + connect("int32", "Date"),
          "`time`" + CONNECT + connect("int32", "Time"),
          "`datetime`, `timestamp`" + CONNECT + connect("int64", "Timestamp"),
          "`date`, `time`, `datetime`: as text" + ISOSTRING + type("string"));

  static final List<String> OTHERS =
      List.of(
          "durations in nanoseconds |  | " + type("int64", "time.NanoDuration"),
          "a decimal of negative scale |  | " + decimal("-2", "10"),
          "any other logical name: by its Connect type |  | "
              + "{\"type\":\"string\",\"name\":\"com.example.Anything\"}",
          "any other time |  | " + type("int64", "time.Anything"));

  /** {@code specification | value}. */
  static final List<String> UNREPRESENTABLE =
      List.of(
          "date | -2147472692",
          "date(iso) | \"-5877611-06-22Z\"",
          "time(micros) | 86400000000",
          "time(micros) | -3020399000000",
          "time(nanos) | 1",
          "time(iso) | \"-838:59:59Z\"",
          "timestamp(micros) | 9223372036825200000",
          "timestamp(millis) | -9223372036832400",
          "timestamp(nanos) | 9223372036854775807",
          "timestamp(nanos) | 1700000000123456700",
          "timestamp(micros) | -9223372036854775808",
          "timestamp(millis) | 9223372036854776",
          "timestamp(iso) | \"+294247-01-10T04:00:25.2Z\"",
          "timestamptz | \"infinity\"",
          "timestamptz | \"+294276-12-31T23:59:59.999999Z\"",
          "timestamptz | \"2024-02-29T00:00:00.0000001Z\"",
          "decimal(4, 2) | 123.4",
          "decimal(4, 2) | 1.234",
          "decimal(4, 2, text) | \"NAN\"",
          "boolean | 2",
          "list<date> | [0, -2147472692]",
          "list<timestamp(iso)> | [\"-290308-12-21T19:59:27.6Z\"]");

  private TypesCases() {}

  private static String vector(String name, String element) {
    return "{\"type\":\"array\",\"name\":\"io.debezium.data.%sVector\",\"items\":%s}"
        .formatted(name, type(element));
  }

  private static String center() {
    return "{\"field\":\"center\"," + POINT.formatted("Point", XY).substring(1);
  }

  private static String extensions() {
    return "{\"field\":\"extensions\",\"type\":\"map\",\"keys\":"
        + type("string")
        + ",\"values\":"
        + type("string")
        + "}";
  }

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
