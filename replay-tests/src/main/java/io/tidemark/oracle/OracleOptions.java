package io.tidemark.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a fold has to be told.
 *
 * @param scheme {@code auto}, {@code kafka-offset} or {@code field:<path>}
 * @param keyColumns names of the key's columns; empty for those of the message key
 * @param columns the columns as Kafka Connect describes the fields of a struct, for messages that
 *     carry no schema; null if all carry one
 * @param unrepresentableIsNull whether a value that no table can hold becomes null; else it is an
 *     error
 * @param placeholder what the connector writes for a column that it did not get; empty for nothing
 * @param format how the messages are written
 */
public record OracleOptions(
    String scheme,
    List<String> keyColumns,
    @Nullable JsonNode columns,
    boolean unrepresentableIsNull,
    String placeholder,
    LogFormat format) {

  /** Versions by the source's position, the message's own key and schema. */
  public static final OracleOptions DEFAULT =
      new OracleOptions(
          "auto", List.of(), null, false, "__debezium_unavailable_value", LogFormat.JSON);

  public OracleOptions {
    keyColumns = List.copyOf(keyColumns);
  }

  /** The same with these columns. */
  public OracleOptions withColumns(JsonNode fields) {
    return new OracleOptions(
        scheme, keyColumns, fields, unrepresentableIsNull, placeholder, format);
  }

  /** The same with another scheme. */
  public OracleOptions withScheme(String other) {
    return new OracleOptions(
        other, keyColumns, columns, unrepresentableIsNull, placeholder, format);
  }

  /** The same, but values that no table can hold become null. */
  public OracleOptions withNullForUnrepresentable() {
    return new OracleOptions(scheme, keyColumns, columns, true, placeholder, format);
  }

  /** The same for messages that are written otherwise. */
  public OracleOptions withFormat(LogFormat other) {
    return new OracleOptions(
        scheme, keyColumns, columns, unrepresentableIsNull, placeholder, other);
  }
}
