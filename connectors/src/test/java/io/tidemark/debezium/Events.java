package io.tidemark.debezium;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.change.SourceOffset;
import io.tidemark.change.Unsent;
import io.tidemark.corpus.TextRow;
import io.tidemark.debezium.DecodeResult.Decoded;
import io.tidemark.debezium.DecodeResult.Ignored;
import io.tidemark.debezium.DecodeResult.Malformed;
import io.tidemark.debezium.value.ColumnSpec;
import io.tidemark.debezium.value.Encoding;
import io.tidemark.row.Column;
import io.tidemark.row.RowShape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Messages and tables of one line, and outcomes as text. */
final class Events {
  static final String SOURCE =
      "{\"connector\":\"postgresql\",\"snapshot\":\"false\",\"sequence\":\"[\\\"90\\\",\\\"100\\\"]\","
          + "\"ts_us\":7000000,\"lsn\":100}";

  private Events() {}

  /**
   * A shape of columns such as {@code id*: long}, keys starred, and the encodings that they say.
   */
  static RowShape shape(String... columns) {
    List<Column> list = new ArrayList<>();
    for (String column : columns) {
      int colon = column.indexOf(':');
      String name = column.substring(0, colon).replace("*", "");
      ColumnSpec spec = ColumnSpec.parse(column.substring(colon + 1));
      list.add(new Column(name, spec.type(), column.substring(0, colon).endsWith("*")));
    }
    return new RowShape(list);
  }

  static Map<String, Encoding> encodings(String... columns) {
    Map<String, Encoding> encodings = new HashMap<>();
    for (String column : columns) {
      int colon = column.indexOf(':');
      encodings.put(
          column.substring(0, colon).replace("*", ""),
          ColumnSpec.parse(column.substring(colon + 1)).encoding());
    }
    return encodings;
  }

  static EnvelopeDecoder decoder(DecoderSettings settings, String... columns) {
    RowShape shape = shape(columns);
    return new EnvelopeDecoder(
        shape, settings.withEncodings(encodings(columns)), new TextRow(shape));
  }

  static RawRecord record(@Nullable String key, @Nullable String value) {
    return new RawRecord(
        new SourceOffset("t", 0, 5),
        1000,
        key == null ? null : key.getBytes(UTF_8),
        value == null ? null : value.getBytes(UTF_8),
        Map.of());
  }

  static String envelope(String op, String after) {
    return envelope(op, after, SOURCE);
  }

  static String envelope(String op, String after, String source) {
    return "{\"before\":null,\"after\":"
        + after
        + ",\"source\":"
        + source
        + ",\"op\":\""
        + op
        + "\"}";
  }

  /** {@code UPSERT {id=1} Stream[…] at 7000000}, or the problem, or the reason. */
  static String text(DecodeResult result) {
    if (result instanceof Decoded decoded) {
      return decoded.kind()
          + " "
          + TextRow.read(decoded.row())
          + " "
          + position(decoded)
          + " at "
          + decoded.sourceTimeMicros()
          + unsent(decoded.unsent());
    }
    return result instanceof Malformed malformed
        ? malformed.problem()
        : ((Ignored) result).reason().toString();
  }

  private static String unsent(@Nullable Unsent unsent) {
    return unsent == null
        ? ""
        : " without " + unsent.columns() + (unsent.insert() ? " from the start" : "");
  }

  private static String position(Decoded decoded) {
    var p = decoded.source().position();
    return decoded.source().getClass().getSimpleName() + List.of(p.p1(), p.p2(), p.p3());
  }
}
