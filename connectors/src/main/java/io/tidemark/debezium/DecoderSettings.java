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
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How the messages of one table are read. Never changes: each {@code with} makes a copy. */
public final class DecoderSettings implements Cloneable {

  /** Debezium's own default for {@code unavailable.value.placeholder}. */
  public static final String UNAVAILABLE_VALUE = "__debezium_unavailable_value";

  /** Envelopes as JSON, version {@code auto}, key from the message, natural encodings, fail. */
  public static final DecoderSettings DEFAULTS = new DecoderSettings();

  private VersionScheme version = new VersionScheme.Auto();
  private List<String> keyColumns = List.of();
  private Map<String, Encoding> encodings = Map.of();
  private OnUnrepresentable onUnrepresentable = OnUnrepresentable.FAIL;
  private OnTruncate onTruncate = OnTruncate.FAIL;
  private MessageFormat format = new JsonFormat();
  private @Nullable Unwrap unwrap;
  private String unavailableValue = UNAVAILABLE_VALUE;
  private OnMissingDocument onMissingDocument = OnMissingDocument.FAIL;
  private boolean wholeBefore;
  private boolean severalPartitions;

  private DecoderSettings() {}

  private DecoderSettings with(Consumer<DecoderSettings> change) {
    DecoderSettings copy = clone();
    change.accept(copy);
    return copy;
  }

  @Override
  protected DecoderSettings clone() {
    try {
      return (DecoderSettings) super.clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  /** Where commit versions come from. */
  public VersionScheme version() {
    return version;
  }

  /** The same with another version scheme. */
  public DecoderSettings withVersion(VersionScheme newVersion) {
    return with(copy -> copy.version = newVersion);
  }

  /** Columns to take the key from, in place of the message key; empty to use the message key. */
  public List<String> keyColumns() {
    return keyColumns;
  }

  /**
   * The same with the key taken from these columns of the row.
   *
   * @throws IllegalArgumentException if one is named twice
   */
  public DecoderSettings withKeyColumns(List<String> newKeyColumns) {
    if (newKeyColumns.stream().distinct().count() != newKeyColumns.size()) {
      throw new IllegalArgumentException("A key column is named twice in " + newKeyColumns);
    }
    return with(copy -> copy.keyColumns = List.copyOf(newKeyColumns));
  }

  /**
   * By column: how the source writes it in messages without schema; a column that is not named has
   * its type's natural encoding.
   */
  public Map<String, Encoding> encodings() {
    return encodings;
  }

  /** The same with these encodings. */
  public DecoderSettings withEncodings(Map<String, Encoding> newEncodings) {
    return with(copy -> copy.encodings = Map.copyOf(newEncodings));
  }

  /** What becomes of a value that its column's type cannot hold. */
  public OnUnrepresentable onUnrepresentable() {
    return onUnrepresentable;
  }

  /** The same with another answer to values that do not fit. */
  public DecoderSettings withOnUnrepresentable(OnUnrepresentable choice) {
    return with(copy -> copy.onUnrepresentable = choice);
  }

  /** What becomes of a TRUNCATE. */
  public OnTruncate onTruncate() {
    return onTruncate;
  }

  /** The same with another answer to a TRUNCATE. */
  public DecoderSettings withOnTruncate(OnTruncate choice) {
    return with(copy -> copy.onTruncate = choice);
  }

  /** How keys and values are written. */
  public MessageFormat format() {
    return format;
  }

  /** The same for messages that are written otherwise. */
  public DecoderSettings withFormat(MessageFormat newFormat, @Nullable Unwrap newUnwrap) {
    return with(
        copy -> {
          copy.format = newFormat;
          copy.unwrap = newUnwrap;
        });
  }

  /** What a transform made of the envelope; null if it is there. */
  public @Nullable Unwrap unwrap() {
    return unwrap;
  }

  /**
   * What Debezium writes for a column that it did not get from the source, as its {@code
   * unavailable.value.placeholder} says; empty if no value means that.
   */
  public String unavailableValue() {
    return unavailableValue;
  }

  /** The same with another placeholder. */
  public DecoderSettings withUnavailableValue(String placeholder) {
    return with(copy -> copy.unavailableValue = placeholder);
  }

  /** What becomes of an update by MongoDB without its document. */
  public OnMissingDocument onMissingDocument() {
    return onMissingDocument;
  }

  /** The same with another answer to an update without its document. */
  public DecoderSettings withOnMissingDocument(OnMissingDocument choice) {
    return with(copy -> copy.onMissingDocument = choice);
  }

  /**
   * Whether the source sends the whole old row in {@code before}, not its key alone beside invented
   * values.
   */
  public boolean wholeBefore() {
    return wholeBefore;
  }

  /** The same for a source that does, or does not, send whole rows in {@code before}. */
  public DecoderSettings withWholeBefore(boolean whole) {
    return with(copy -> copy.wholeBefore = whole);
  }

  /**
   * Whether the topic has more than one partition, so that the message key decides where a change
   * lies; a record from a partition above 0 shows it too.
   */
  public boolean severalPartitions() {
    return severalPartitions;
  }

  /** The same for a topic of one partition, or of several. */
  public DecoderSettings withSeveralPartitions(boolean several) {
    return with(copy -> copy.severalPartitions = several);
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
