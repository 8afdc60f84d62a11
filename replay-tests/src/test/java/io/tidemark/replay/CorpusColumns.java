package io.tidemark.replay;

import io.tidemark.change.SourceOffset;
import io.tidemark.debezium.DecoderSettings;
import io.tidemark.debezium.EnvelopeDecoder;
import io.tidemark.debezium.OnUnrepresentable;
import io.tidemark.debezium.RawRecord;
import io.tidemark.debezium.ShapeReader;
import io.tidemark.debezium.ShapeResult.Discovered;
import io.tidemark.debezium.value.ColumnSpec;
import io.tidemark.debezium.value.Encoding;
import io.tidemark.flink.Decoder;
import io.tidemark.flink.row.BinaryRowEncoder;
import io.tidemark.oracle.RawEvent;
import io.tidemark.row.Column;
import io.tidemark.row.RowShape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The columns of the recorded tables, as the job is told of them. */
final class CorpusColumns {

  private CorpusColumns() {}

  /** The shape of the rows. */
  static RowShape shape(CorpusTable recorded) {
    List<Column> columns = new ArrayList<>();
    of(recorded)
        .forEach(
            (name, spec) ->
                columns.add(
                    new Column(
                        name, ColumnSpec.parse(spec).type(), recorded.key().contains(name))));
    return new RowShape(columns);
  }

  /** The decoders that the job would use. */
  static Decoder.Factory decoders(CorpusTable recorded) {
    RowShape shape = shape(recorded);
    Map<String, Encoding> encodings = new HashMap<>();
    of(recorded).forEach((name, spec) -> encodings.put(name, ColumnSpec.parse(spec).encoding()));
    DecoderSettings settings =
        DecoderSettings.DEFAULTS
            .withEncodings(encodings)
            .withOnUnrepresentable(OnUnrepresentable.NULL);
    return () -> new EnvelopeDecoder(shape, settings, new BinaryRowEncoder(shape))::decode;
  }

  /** The types of the columns, as a user would write them down. */
  static Map<String, String> of(CorpusTable recorded) {
    return switch (recorded) {
      case BASIC, BASIC_KEEPNULL -> specs(CorpusTable.BASIC_SCHEMAS);
      case TYPES -> specs(CorpusTable.TYPES_SCHEMAS);
      case ACCOUNTS -> Map.of("id", "int", "v", "int", "who", "string", "txn", "int");
      case LOG -> Map.of("id", "int", "acct", "int", "msg", "string");
      case TOAST, TOAST_FULL ->
          Map.ofEntries(
              Map.entry("id", "int"),
              Map.entry("small", "int"),
              Map.entry("t", "string"),
              Map.entry("t_nn", "string"),
              Map.entry("b", "binary"),
              Map.entry("j", "string"),
              Map.entry("js", "string"),
              Map.entry("h", "string"),
              Map.entry("a", "list<string>"),
              Map.entry("ai", "list<int>"),
              Map.entry("al", "list<long>"),
              Map.entry("u", "list<uuid>"),
              Map.entry("n", "string(decimal)"));
      case ITEMS -> Map.of("id", "int", "name", "string", "stock", "int", "ver", "int");
      case TWICE -> Map.of("id", "int", "name", "string", "bal", "decimal(10, 2)");
      case CHANGED_COLUMNS ->
          Map.ofEntries(
              Map.entry("id", "long"),
              Map.entry("a", "long"),
              Map.entry("b", "string"),
              Map.entry("c", "decimal(16, 4)"),
              Map.entry("old_name", "string"),
              Map.entry("new_name", "string"),
              Map.entry("flag", "string(boolean)"),
              Map.entry("added_def", "int"),
              Map.entry("added_null", "string"),
              Map.entry("nn", "int"),
              Map.entry("doomed", "string"),
              Map.entry("late", "int"),
              Map.entry("tmp4", "int"),
              Map.entry("tmp8", "int"),
              Map.entry("tmp12", "int"),
              Map.entry("tmp16", "int"));
      case MARIADB ->
          Map.of(
              "id", "long",
              "customer", "string",
              "amount", "decimal(12, 2)",
              "qty", "int",
              "status", "string",
              "note", "string",
              "placed_on", "date",
              "updated_at", "timestamptz");
      case BASIC_SCHEMAS, TYPES_SCHEMAS -> specs(recorded);
      default -> CorpusNotation.types(recorded.notation());
    };
  }

  private static Map<String, String> specs(CorpusTable withSchemas) {
    RawEvent first = withSchemas.load().events().get(0);
    RawRecord record =
        new RawRecord(
            new SourceOffset(first.topic(), 0, 0), 0, first.key(), first.value(), new HashMap<>());
    Discovered found = (Discovered) new ShapeReader(List.of(), Map.of()).read(record);
    Map<String, String> specs = new TreeMap<>();
    for (Column column : found.shape().columns()) {
      specs.put(column.name(), found.spec(column.name()));
    }
    return specs;
  }
}
