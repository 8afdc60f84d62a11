package io.tidemark.debezium;

import io.tidemark.debezium.format.JsonFormat;
import io.tidemark.debezium.format.MessageFormat;
import io.tidemark.debezium.value.Encoding;
import io.tidemark.debezium.version.VersionScheme;
import io.tidemark.row.Column;
import io.tidemark.row.RowShape;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How the messages of one table are read.
 *
 * @param version where commit versions come from
 * @param keyColumns columns to take the key from, in place of the message key; empty to use the
 *     message key
 * @param encodings by column: how the source writes it in messages without schema; a column that is
 *     not named has its type's natural encoding
 * @param onUnrepresentable what becomes of a value that its column's type cannot hold
 * @param onTruncate what becomes of a TRUNCATE
 * @param format how keys and values are written
 * @param unwrap what a transform made of the envelope; null if it is there
 * @param unavailableValue what Debezium writes for a column that it did not get from the source, as
 *     its {@code unavailable.value.placeholder} says; empty if no value means that
 * @param onMissingDocument what becomes of an update by MongoDB without its document
 * @param wholeBefore whether the source sends the whole old row in {@code before}, not its key
 *     alone beside invented values
 * @param severalPartitions whether the topic has more than one partition, so that the message key
 *     decides where a change lies; a record from a partition above 0 shows it too
 */
public record DecoderSettings(
    VersionScheme version,
    List<String> keyColumns,
    Map<String, Encoding> encodings,
    OnUnrepresentable onUnrepresentable,
    OnTruncate onTruncate,
    MessageFormat format,
    @Nullable Unwrap unwrap,
    String unavailableValue,
    OnMissingDocument onMissingDocument,
    boolean wholeBefore,
    boolean severalPartitions) {

  /** Debezium's own default for {@code unavailable.value.placeholder}. */
  public static final String UNAVAILABLE_VALUE = "__debezium_unavailable_value";

  /** Envelopes as JSON, version {@code auto}, key from the message, natural encodings, fail. */
  public static final DecoderSettings DEFAULTS =
      new DecoderSettings(
          new VersionScheme.Auto(),
          List.of(),
          Map.of(),
          OnUnrepresentable.FAIL,
          OnTruncate.FAIL,
          new JsonFormat(),
          null,
          UNAVAILABLE_VALUE,
          OnMissingDocument.FAIL,
          false,
          false);

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
        newVersion,
        keyColumns,
        encodings,
        onUnrepresentable,
        onTruncate,
        format,
        unwrap,
        unavailableValue,
        onMissingDocument,
        wholeBefore,
        severalPartitions);
  }

  /** The same with the key taken from these columns of the row. */
  public DecoderSettings withKeyColumns(List<String> newKeyColumns) {
    return new DecoderSettings(
        version,
        newKeyColumns,
        encodings,
        onUnrepresentable,
        onTruncate,
        format,
        unwrap,
        unavailableValue,
        onMissingDocument,
        wholeBefore,
        severalPartitions);
  }

  /** The same with these encodings. */
  public DecoderSettings withEncodings(Map<String, Encoding> newEncodings) {
    return new DecoderSettings(
        version,
        keyColumns,
        newEncodings,
        onUnrepresentable,
        onTruncate,
        format,
        unwrap,
        unavailableValue,
        onMissingDocument,
        wholeBefore,
        severalPartitions);
  }

  /** The same with another answer to values that do not fit. */
  public DecoderSettings withOnUnrepresentable(OnUnrepresentable choice) {
    return new DecoderSettings(
        version,
        keyColumns,
        encodings,
        choice,
        onTruncate,
        format,
        unwrap,
        unavailableValue,
        onMissingDocument,
        wholeBefore,
        severalPartitions);
  }

  /** The same with another answer to a TRUNCATE. */
  public DecoderSettings withOnTruncate(OnTruncate choice) {
    return new DecoderSettings(
        version,
        keyColumns,
        encodings,
        onUnrepresentable,
        choice,
        format,
        unwrap,
        unavailableValue,
        onMissingDocument,
        wholeBefore,
        severalPartitions);
  }

  /** The same for messages that are written otherwise. */
  public DecoderSettings withFormat(MessageFormat newFormat, @Nullable Unwrap newUnwrap) {
    return new DecoderSettings(
        version,
        keyColumns,
        encodings,
        onUnrepresentable,
        onTruncate,
        newFormat,
        newUnwrap,
        unavailableValue,
        onMissingDocument,
        wholeBefore,
        severalPartitions);
  }

  /** The same with another placeholder. */
  public DecoderSettings withUnavailableValue(String placeholder) {
    return new DecoderSettings(
        version,
        keyColumns,
        encodings,
        onUnrepresentable,
        onTruncate,
        format,
        unwrap,
        placeholder,
        onMissingDocument,
        wholeBefore,
        severalPartitions);
  }

  /** The same with another answer to an update without its document. */
  public DecoderSettings withOnMissingDocument(OnMissingDocument choice) {
    return new DecoderSettings(
        version,
        keyColumns,
        encodings,
        onUnrepresentable,
        onTruncate,
        format,
        unwrap,
        unavailableValue,
        choice,
        wholeBefore,
        severalPartitions);
  }

  /** The same for a source that does, or does not, send whole rows in {@code before}. */
  public DecoderSettings withWholeBefore(boolean whole) {
    return new DecoderSettings(
        version,
        keyColumns,
        encodings,
        onUnrepresentable,
        onTruncate,
        format,
        unwrap,
        unavailableValue,
        onMissingDocument,
        whole,
        severalPartitions);
  }

  /** The same for a topic of one partition, or of several. */
  public DecoderSettings withSeveralPartitions(boolean several) {
    return new DecoderSettings(
        version,
        keyColumns,
        encodings,
        onUnrepresentable,
        onTruncate,
        format,
        unwrap,
        unavailableValue,
        onMissingDocument,
        wholeBefore,
        several);
  }

  /** Checks that all columns that are named here are there, and the key is the table's. */
  void requireFit(RowShape shape) {
    Set<String> unknown = new HashSet<>(encodings.keySet());
    unknown.removeAll(shape.positions().keySet());
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException("Encodings name columns that are not there: " + unknown);
    }
    Set<String> keys =
        shape.columns().stream().filter(Column::key).map(Column::name).collect(Collectors.toSet());
    if (!keyColumns.isEmpty() && !keys.equals(Set.copyOf(keyColumns))) {
      throw new IllegalArgumentException(
          "The key columns are " + keys + ", the settings name " + keyColumns);
    }
  }
}
