package io.tidemark.job;

import io.tidemark.debezium.DecoderSettings;
import io.tidemark.debezium.EnvelopeDecoder;
import io.tidemark.debezium.OnUnrepresentable;
import io.tidemark.debezium.value.ColumnSpec;
import io.tidemark.debezium.value.Encoding;
import io.tidemark.debezium.version.VersionScheme;
import io.tidemark.flink.Decoder;
import io.tidemark.flink.row.BinaryRowEncoder;
import io.tidemark.row.RowShape;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the decoders of one table.
 *
 * @param version text of a {@link VersionScheme}
 * @param keyColumns columns that the key is taken from in place of the message key; empty for none
 * @param columns by name, the text of the {@link ColumnSpec} that messages without schema are read
 *     by
 * @param unavailableValue what stands for a value that the source left out; empty if nothing does
 */
record DebeziumDecoders(
    RowShape shape,
    String version,
    List<String> keyColumns,
    Map<String, String> columns,
    OnUnrepresentable onUnrepresentable,
    String unavailableValue)
    implements Decoder.Factory {

  DebeziumDecoders {
    keyColumns = List.copyOf(keyColumns);
    columns = Map.copyOf(columns);
  }

  @Override
  public Decoder open() {
    EnvelopeDecoder decoder = decoder();
    return decoder::decode;
  }

  private EnvelopeDecoder decoder() {
    Map<String, Encoding> encodings = new HashMap<>();
    columns.forEach((name, spec) -> encodings.put(name, ColumnSpec.parse(spec).encoding()));
    DecoderSettings settings =
        DecoderSettings.DEFAULTS
            .withVersion(VersionScheme.parse(version))
            .withKeyColumns(keyColumns)
            .withEncodings(encodings)
            .withOnUnrepresentable(onUnrepresentable)
            .withUnavailableValue(unavailableValue);
    return new EnvelopeDecoder(shape, settings, new BinaryRowEncoder(shape));
  }
}
