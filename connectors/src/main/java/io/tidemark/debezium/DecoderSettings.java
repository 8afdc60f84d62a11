package io.tidemark.debezium;

import io.tidemark.debezium.value.Encoding;
import io.tidemark.debezium.version.VersionScheme;
import java.util.List;
import java.util.Map;

/**
 * How the messages of one table are read.
 *
 * @param version where commit versions come from
 * @param keyColumns columns to take the key from, in place of the message key; empty to use the
 *     message key
 * @param encodings by column: how the source writes it in messages without schema; a column that is
 *     not named has its type's natural encoding
 * @param onUnrepresentable what becomes of a value that its column's type cannot hold
 * @param unavailableValue what Debezium writes for a column that it did not get from the source, as
 *     its {@code unavailable.value.placeholder} says; empty if no value means that
 */
public record DecoderSettings(
    VersionScheme version,
    List<String> keyColumns,
    Map<String, Encoding> encodings,
    OnUnrepresentable onUnrepresentable,
    String unavailableValue) {

  /** Debezium's own default for {@code unavailable.value.placeholder}. */
  public static final String UNAVAILABLE_VALUE = "__debezium_unavailable_value";

  /** Version {@code auto}, key from the message, natural encodings, fail. */
  public static final DecoderSettings DEFAULTS =
      new DecoderSettings(
          new VersionScheme.Auto(), List.of(), Map.of(), OnUnrepresentable.FAIL, UNAVAILABLE_VALUE);

  public DecoderSettings {
    keyColumns = List.copyOf(keyColumns);
    encodings = Map.copyOf(encodings);
    if (keyColumns.stream().distinct().count() != keyColumns.size()) {
      throw new IllegalArgumentException("A key column is named twice in " + keyColumns);
    }
  }

  /** The same with another version scheme. */
  public DecoderSettings withVersion(VersionScheme newVersion) {
    return new DecoderSettings(
        newVersion, keyColumns, encodings, onUnrepresentable, unavailableValue);
  }

  /** The same with the key taken from these columns of the row. */
  public DecoderSettings withKeyColumns(List<String> newKeyColumns) {
    return new DecoderSettings(
        version, newKeyColumns, encodings, onUnrepresentable, unavailableValue);
  }

  /** The same with these encodings. */
  public DecoderSettings withEncodings(Map<String, Encoding> newEncodings) {
    return new DecoderSettings(
        version, keyColumns, newEncodings, onUnrepresentable, unavailableValue);
  }

  /** The same with another answer to values that do not fit. */
  public DecoderSettings withOnUnrepresentable(OnUnrepresentable choice) {
    return new DecoderSettings(version, keyColumns, encodings, choice, unavailableValue);
  }

  /** The same with another placeholder. */
  public DecoderSettings withUnavailableValue(String placeholder) {
    return new DecoderSettings(version, keyColumns, encodings, onUnrepresentable, placeholder);
  }
}
