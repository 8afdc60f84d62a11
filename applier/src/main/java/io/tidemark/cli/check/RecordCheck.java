package io.tidemark.cli.check;

import io.tidemark.config.ErrorPolicy;
import io.tidemark.config.Settings;
import io.tidemark.config.TableRoute;
import io.tidemark.debezium.DecodeResult;
import io.tidemark.debezium.DecoderSettings;
import io.tidemark.debezium.EnvelopeDecoder;
import io.tidemark.debezium.RawRecord;
import io.tidemark.debezium.ShapeReader;
import io.tidemark.debezium.ShapeResult;
import io.tidemark.debezium.value.ColumnSpec;
import io.tidemark.debezium.value.Encoding;
import io.tidemark.flink.row.BinaryRowEncoder;
import io.tidemark.row.Column;
import io.tidemark.row.RowShape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Whether the first messages of a topic are what the configuration says. */
final class RecordCheck {
  private static final String SUBJECT = "records";
  private static final int LIMIT = 100;
  private static final int MAX_SHOWN = 3;

  private final Settings settings;
  private final CheckReport report;

  /**
   * What the messages told.
   *
   * @param shape of the rows; null if it is not known from messages or configuration
   */
  record Found(@Nullable RowShape shape) {
    static final Found NOTHING = new Found(null);
  }

  RecordCheck(Settings settings, CheckReport report) {
    this.settings = settings;
    this.report = report;
  }

  Found run(KafkaView kafka, TableRoute route) {
    List<RawRecord> records = kafka.first(route.topic(), LIMIT);
    if (records.isEmpty()) {
      report.warn(
          SUBJECT,
          "topic " + route.topic() + " has no records to look at",
          "check again when it has some");
      return configured(route);
    }
    ShapeReader shapes = new ShapeReader(route.rules().key(), route.rules().columnSpecs());
    String refusal = null;
    for (RawRecord record : records) {
      ShapeResult result = shapes.read(record);
      if (result instanceof ShapeResult.Discovered discovered) {
        decode(records, route, discovered.shape(), discovered.encodings());
        return new Found(discovered.shape());
      }
      if (result instanceof ShapeResult.Refused refused && refusal == null) {
        refusal = record.at() + ": " + refused.reason();
      }
    }
    return withoutSchema(records, route, refusal);
  }

  private Found withoutSchema(List<RawRecord> records, TableRoute route, @Nullable String refusal) {
    Found configured = configured(route);
    if (configured.shape() != null) {
      Map<String, Encoding> encodings = new LinkedHashMap<>();
      route.rules().columnSpecs().forEach((name, spec) -> encodings.put(name, spec.encoding()));
      decode(records, route, configured.shape(), encodings);
    } else if (refusal == null) {
      report.warn(
          SUBJECT,
          "none of the first "
              + records.size()
              + " records of topic "
              + route.topic()
              + " changes a row",
          "check again when there are changes");
    } else {
      report.warn(SUBJECT, refusal, "needed unless the table exists and tells the columns");
    }
    return configured;
  }

  /** The shape that the route gives by itself: with types and with key columns. */
  private static Found configured(TableRoute route) {
    Map<String, ColumnSpec> specs = route.rules().columnSpecs();
    List<String> key = route.rules().key();
    if (key.isEmpty() || !specs.keySet().containsAll(key)) {
      return Found.NOTHING;
    }
    List<Column> columns = new ArrayList<>();
    specs.forEach((name, spec) -> columns.add(new Column(name, spec.type(), key.contains(name))));
    return new Found(new RowShape(columns));
  }

  private void decode(
      List<RawRecord> records, TableRoute route, RowShape shape, Map<String, Encoding> encodings) {
    EnvelopeDecoder decoder;
    try {
      decoder =
          new EnvelopeDecoder(
              shape,
              new DecoderSettings(
                  route.rules().versionScheme(),
                  route.rules().key(),
                  encodings,
                  route.rules().onUnrepresentable(),
                  DecoderSettings.UNAVAILABLE_VALUE),
              new BinaryRowEncoder(shape));
    } catch (IllegalArgumentException e) {
      report.fail(SUBJECT, String.valueOf(e.getMessage()), "correct the route of " + route.topic());
      return;
    }
    int malformed = 0;
    for (RawRecord record : records) {
      if (decoder.decode(record) instanceof DecodeResult.Malformed bad
          && ++malformed <= MAX_SHOWN) {
        malformed(record, bad.problem());
      }
    }
    String read = records.size() + " of topic " + route.topic();
    if (malformed == 0) {
      report.ok(
          SUBJECT, "the first " + read + " can be decoded, " + shape.columns().size() + " columns");
    } else if (malformed > MAX_SHOWN) {
      malformed(records.get(0), malformed + " of the first " + read + " cannot be decoded");
    }
  }

  private void malformed(RawRecord record, String problem) {
    String finding = record.at() + ": " + problem;
    if (settings.errors().policy() == ErrorPolicy.FAIL) {
      report.fail(
          SUBJECT,
          finding,
          "correct the source or the route; or let it go to a topic with errors.policy: dead-letter");
    } else {
      report.warn(
          SUBJECT, finding, "errors.policy " + settings.errors().policy() + " takes care of it");
    }
  }
}
