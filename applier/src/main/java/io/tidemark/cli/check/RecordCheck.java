package io.tidemark.cli.check;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.config.Before;
import io.tidemark.config.ErrorPolicy;
import io.tidemark.config.MessageSettings;
import io.tidemark.config.Names;
import io.tidemark.config.Settings;
import io.tidemark.config.TableRoute;
import io.tidemark.debezium.ChangeDecoder;
import io.tidemark.debezium.DecodeResult;
import io.tidemark.debezium.DecoderSettings;
import io.tidemark.debezium.RawRecord;
import io.tidemark.debezium.ShapeReader;
import io.tidemark.debezium.ShapeResult;
import io.tidemark.debezium.value.ColumnSpec;
import io.tidemark.debezium.value.Encoding;
import io.tidemark.flink.row.BinaryRowEncoder;
import io.tidemark.iceberg.TableDescription;
import io.tidemark.row.Column;
import io.tidemark.row.RowShape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether the first messages of a topic are what configuration and table say. The columns come from
 * where a run takes them: from the table, else from the messages' schema, else from the
 * configuration.
 */
final class RecordCheck {
  private static final String SUBJECT = "records";
  private static final int LIMIT = 100;
  private static final int MAX_SHOWN = 3;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Settings settings;
  private final CheckReport report;
  private final TableRoute route;

  /** Columns, and how messages without schema write them. */
  private record Columns(RowShape shape, Map<String, Encoding> encodings) {

    /**
     * Type and encoding by column.
     *
     * @throws IllegalArgumentException if they do not fit, which no decoder takes
     */
    Map<String, ColumnSpec> specs() {
      Map<String, ColumnSpec> specs = new LinkedHashMap<>();
      for (Column column : shape.columns()) {
        Encoding encoding = encodings.get(column.name());
        specs.put(
            column.name(),
            encoding == null
                ? ColumnSpec.of(column.type())
                : new ColumnSpec(column.type(), encoding));
      }
      return specs;
    }
  }

  RecordCheck(Settings settings, CheckReport report, TableRoute route) {
    this.settings = settings;
    this.report = report;
    this.route = route;
  }

  /**
   * Looks at the first records.
   *
   * @param table null if there is none, or it is not known
   * @return the shape of the rows; null if it is not known
   */
  @Nullable RowShape run(KafkaView kafka, @Nullable TableDescription table) {
    List<RawRecord> records = kafka.first(route.topic(), LIMIT);
    if (records.isEmpty()) {
      report.warn(
          SUBJECT,
          "topic " + route.topic() + " has no records to look at",
          "check again when it has some");
    }
    Columns columns = table == null ? columns(records) : columns(table);
    if (columns != null) {
      unknownColumns(columns.shape());
    }
    if (columns != null && !records.isEmpty()) {
      decode(records, columns, kafka.ranges(Set.of(route.topic())).size());
    }
    return columns == null ? null : columns.shape();
  }

  private void unknownColumns(RowShape shape) {
    Set<String> known = shape.positions().keySet();
    for (String name : route.rules().columnSpecs().keySet()) {
      if (!known.contains(name)) {
        report.warn(
            SUBJECT,
            "routes.columns names " + name + ", which neither the messages nor the table have",
            Names.nearest(name, known)
                .map(near -> "did you mean " + near + "?")
                .orElse("there are: " + String.join(", ", known)));
      }
    }
  }

  private Columns columns(TableDescription table) {
    Map<String, Encoding> encodings = new LinkedHashMap<>();
    try {
      if (table.columns() != null) {
        JSON.readValue(table.columns(), new TypeReference<Map<String, String>>() {})
            .forEach((name, spec) -> encodings.put(name, ColumnSpec.parse(spec).encoding()));
      }
    } catch (IOException | IllegalArgumentException e) {
      report.fail(
          SUBJECT,
          "table " + route.table() + ": its property tidemark.columns is not what Tidemark wrote",
          "restore the property, or name another table in the route");
    }
    encodings.putAll(configuredEncodings());
    return new Columns(table.shape(), encodings);
  }

  private @Nullable Columns columns(List<RawRecord> records) {
    MessageSettings messages = settings.kafka().messages();
    ShapeReader shapes =
        new ShapeReader(
            route.rules().key(),
            route.rules().columnSpecs(),
            messages.messages(),
            messages.unwrapped());
    for (RawRecord record : records) {
      ShapeResult result = shapes.read(record);
      if (result instanceof ShapeResult.Discovered discovered) {
        return new Columns(discovered.shape(), discovered.encodings());
      }
      if (result instanceof ShapeResult.Refused refused) {
        Columns configured = configured(shapes.keyNames(record));
        if (configured == null) {
          report.warn(
              SUBJECT,
              record.at() + ": " + refused.reason(),
              "needed unless a table exists and tells the columns");
        }
        return configured;
      }
    }
    if (!records.isEmpty()) {
      report.warn(
          SUBJECT,
          "none of the first " + records.size() + " of topic " + route.topic() + " changes a row",
          "check again when there are changes");
    }
    return configured(Set.of());
  }

  /** The columns that the route names; null if it does not name all of the key. */
  private @Nullable Columns configured(Set<String> messageKey) {
    Map<String, ColumnSpec> specs = route.rules().columnSpecs();
    Set<String> key = new LinkedHashSet<>(route.rules().key());
    if (key.isEmpty()) {
      key.addAll(messageKey);
    }
    if (key.isEmpty() || !specs.keySet().containsAll(key)) {
      return null;
    }
    List<Column> columns = new ArrayList<>();
    specs.forEach((name, spec) -> columns.add(new Column(name, spec.type(), key.contains(name))));
    return new Columns(new RowShape(columns), configuredEncodings());
  }

  private Map<String, Encoding> configuredEncodings() {
    Map<String, Encoding> encodings = new LinkedHashMap<>();
    route.rules().columnSpecs().forEach((name, spec) -> encodings.put(name, spec.encoding()));
    return encodings;
  }

  private void decode(List<RawRecord> records, Columns columns, int partitions) {
    ChangeDecoder decoder;
    try {
      decoder =
          ChangeDecoder.of(
              columns.shape(),
              DecoderSettings.DEFAULTS
                  .withVersion(route.rules().versionScheme())
                  .withKeyColumns(route.rules().key())
                  .withEncodings(columns.encodings())
                  .withUnavailableValue(route.rules().unavailableValue())
                  .withOnUnrepresentable(route.rules().onUnrepresentable())
                  .withOnTruncate(route.rules().truncate())
                  .withOnMissingDocument(route.rules().missingDocument())
                  .withWholeBefore(route.rules().before() == Before.FULL)
                  .withSeveralPartitions(partitions > 1)
                  .withFormat(
                      settings.kafka().messages().messages(),
                      settings.kafka().messages().unwrapped()),
              new BinaryRowEncoder(columns.shape()));
    } catch (IllegalArgumentException e) {
      report.fail(SUBJECT, String.valueOf(e.getMessage()), "correct the route of " + route.topic());
      return;
    }
    int malformed = 0;
    for (RawRecord record : records) {
      if (decoder.decode(record) instanceof DecodeResult.Malformed bad
          && ++malformed <= MAX_SHOWN) {
        malformed(record.at() + ": " + bad.problem(), bad.deadLetter());
      }
    }
    String read = "the first " + records.size() + " of topic " + route.topic();
    if (malformed == 0) {
      report.ok(
          SUBJECT, read + " can be decoded, " + columns.shape().columns().size() + " columns");
    } else if (malformed == records.size()) {
      // Whatever becomes of single messages: a run would put all of them aside.
      report.fail(
          SUBJECT,
          "none of " + read + " can be decoded",
          "see above, and kafka.format: found " + Names.of(settings.kafka().messages().format()));
    } else if (malformed > MAX_SHOWN) {
      malformed(malformed + " of " + read + " cannot be decoded", false);
    }
    new UnsentCheck(settings, report, route).run(records, columns.specs());
  }

  private void malformed(String finding, boolean deadLetter) {
    ErrorPolicy policy = settings.errors().policy();
    if (deadLetter) {
      report.warn(SUBJECT, finding, "on-unrepresentable is dead-letter: the run goes on");
      return;
    }
    if (policy == ErrorPolicy.FAIL) {
      report.fail(
          SUBJECT,
          finding,
          "correct the source or the route; or let it go to a topic with errors.policy: dead-letter");
    } else {
      report.warn(SUBJECT, finding, "errors.policy is " + Names.of(policy) + ": the run goes on");
    }
  }
}
