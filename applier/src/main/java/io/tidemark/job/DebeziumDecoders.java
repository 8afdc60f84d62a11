package io.tidemark.job;

import io.tidemark.config.Before;
import io.tidemark.config.Settings;
import io.tidemark.config.TableRoute;
import io.tidemark.debezium.ChangeDecoder;
import io.tidemark.debezium.DecoderSettings;
import io.tidemark.debezium.OnMissingDocument;
import io.tidemark.debezium.OnTruncate;
import io.tidemark.debezium.OnUnrepresentable;
import io.tidemark.debezium.Unwrap;
import io.tidemark.debezium.format.MessageFormat;
import io.tidemark.debezium.value.ColumnSpec;
import io.tidemark.debezium.value.Encoding;
import io.tidemark.debezium.version.VersionScheme;
import io.tidemark.flink.Decoder;
import io.tidemark.flink.row.BinaryRowEncoder;
import io.tidemark.row.RowShape;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes the decoders of one table.
 *
 * @param version text of a {@link VersionScheme}
 * @param keyColumns columns that the key is taken from in place of the message key; empty for none
 * @param columns by name, the text of the {@link ColumnSpec} that messages without schema are read
 *     by
 * @param unavailableValue what stands for a value that the source left out; empty if nothing does
 * @param wholeBefore whether a delete's {@code before} is the whole row
 * @param severalPartitions whether the topic has more than one partition
 * @param format how keys and values are written
 * @param unwrap what a transform made of the envelope; null if it is there
 */
record DebeziumDecoders(
    RowShape shape,
    String version,
    List<String> keyColumns,
    Map<String, String> columns,
    OnUnrepresentable onUnrepresentable,
    String unavailableValue,
    OnTruncate onTruncate,
    OnMissingDocument onMissingDocument,
    boolean wholeBefore,
    boolean severalPartitions,
    MessageFormat format,
    @Nullable Unwrap unwrap)
    implements Decoder.Factory {

  DebeziumDecoders {
    keyColumns = List.copyOf(keyColumns);
    columns = Map.copyOf(columns);
  }

  /** Those that a route asks for, for a topic that has so many partitions now. */
  static DebeziumDecoders of(
      Settings settings,
      TableRoute route,
      int partitions,
      RowShape shape,
      Map<String, String> columns) {
    return new DebeziumDecoders(
        shape,
        route.rules().version(),
        route.rules().key(),
        columns,
        route.rules().onUnrepresentable(),
        route.rules().unavailableValue(),
        route.rules().truncate(),
        route.rules().missingDocument(),
        route.rules().before() == Before.FULL,
        partitions > 1,
        settings.kafka().messages().messages(),
        settings.kafka().messages().unwrapped());
  }

  @Override
  public Decoder open() {
    ChangeDecoder decoder = decoder();
    return decoder::decode;
  }

  private ChangeDecoder decoder() {
    Map<String, Encoding> encodings = new HashMap<>();
    columns.forEach((name, spec) -> encodings.put(name, ColumnSpec.parse(spec).encoding()));
    DecoderSettings settings =
        DecoderSettings.DEFAULTS
            .withVersion(VersionScheme.parse(version))
            .withKeyColumns(keyColumns)
            .withEncodings(encodings)
            .withOnUnrepresentable(onUnrepresentable)
            .withUnavailableValue(unavailableValue)
            .withOnTruncate(onTruncate)
            .withOnMissingDocument(onMissingDocument)
            .withWholeBefore(wholeBefore)
            .withSeveralPartitions(severalPartitions)
            .withFormat(format, unwrap);
    return ChangeDecoder.of(shape, settings, new BinaryRowEncoder(shape));
  }
}
