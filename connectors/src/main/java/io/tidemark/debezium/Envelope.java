package io.tidemark.debezium;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonParser.NumberType;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import io.tidemark.debezium.version.SourceBlock;
import io.tidemark.debezium.version.TransactionBlock;
import io.tidemark.debezium.version.VersionScheme;
import io.tidemark.row.RowShape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one envelope, in whatever order they come. The row goes to the row reader while it
 * is read: the operation often comes after it. Reused from message to message.
 */
final class Envelope {
  private static final int MAX_NAMES_SHOWN = 12;

  /** Fields whose presence matters. */
  private enum Part {
    BEFORE,
    AFTER,
    SOURCE,
    OP,
    TRANSACTION,
    TS_MS;

    final String field = name().toLowerCase(Locale.ROOT);
  }

  private final RowReader rows;
  private final DocumentTable documents;
  private final boolean positions;
  final SourceBlock source;
  final TransactionBlock transaction = new TransactionBlock();
  final KeyValues afterKey;
  final KeyValues beforeKey;
  private final List<String> names = new ArrayList<>();

  private int seen;
  private @Nullable String op;
  private boolean hasAfter;
  private boolean hasBefore;
  private boolean hasDocument;
  private boolean textBefore;
  private OptionalLong tsMillis = OptionalLong.empty();

  /** One for a table of that shape, whose changes have their versions from {@code scheme}. */
  Envelope(RowReader rows, DocumentTable documents, RowShape shape, VersionScheme scheme) {
    this.rows = rows;
    this.documents = documents;
    this.afterKey = new KeyValues(shape);
    this.beforeKey = new KeyValues(shape);
    this.source = new SourceBlock(scheme);
    this.positions = scheme instanceof VersionScheme.Auto;
  }

  /** Reads an envelope; the parser stands before it. */
  void read(JsonParser in, RowPlan plan) throws Problem, IOException {
    clear();
    JsonToken first = in.nextToken();
    if (first == JsonToken.VALUE_NULL) {
      throw new Problem(
          "expected a Debezium envelope, found JSON null: so ExtractNewRecordState writes a delete. If"
              + " it flattened the messages, set kafka.format to debezium-json-flat or"
              + " debezium-avro-flat");
    }
    if (first != JsonToken.START_OBJECT) {
      throw JsonInput.unexpected("a Debezium envelope as an object", in);
    }
    for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
      JsonToken token = in.nextToken();
      switch (name) {
        case "before" -> before(token, in, plan);
        case "after" -> after(token, in, plan);
        case "source" -> source(token, in);
        case "op" -> op = op(token, in);
        case "transaction" -> transaction(token, in);
        case "ts_ms" -> tsMillis = millis(token, in);
        default -> other(name, in);
      }
    }
    JsonInput.expectEnd(in);
    if (textBefore && !DocumentTable.CONNECTOR.equals(source.connector())) {
      throw new Problem("before: expected an object, found a string");
    }
  }

  /** The operation; null if there is none. */
  @Nullable String op() {
    return op;
  }

  /** Whether a row is set in {@code after}. */
  boolean hasAfter() {
    return hasAfter;
  }

  /** Whether a document is set in {@code after}. */
  boolean hasDocument() {
    return hasDocument;
  }

  /** Whether the key columns were read from {@code before}. */
  boolean hasBefore() {
    return hasBefore;
  }

  /** When the connector wrote the event, milliseconds since 1970-01-01T00:00:00Z. */
  OptionalLong tsMillis() {
    return tsMillis;
  }

  /** What a record without operation is; null if it is none that belongs here. */
  DecodeResult.@Nullable Reason reason() {
    return reason(allNames());
  }

  private List<String> allNames() {
    List<String> all = new ArrayList<>(names);
    for (Part part : Part.values()) {
      if (saw(part)) {
        all.add(part.field);
      }
    }
    return all;
  }

  /** What a record with these fields and no operation is; null if it is none that belongs here. */
  static DecodeResult.@Nullable Reason reason(Collection<String> fields) {
    if (fields.contains(Part.AFTER.field) || fields.contains(Part.BEFORE.field)) {
      return null;
    }
    if (fields.containsAll(List.of("status", "id", "event_count"))) {
      return DecodeResult.Reason.TRANSACTION;
    }
    if (fields.contains("databaseName")
        && (fields.contains("ddl") || fields.contains("tableChanges"))) {
      return DecodeResult.Reason.SCHEMA_CHANGE;
    }
    boolean heartbeat =
        fields.contains(Part.TS_MS.field) && List.of("ts_ms", "ts_us", "ts_ns").containsAll(fields);
    return heartbeat ? DecodeResult.Reason.HEARTBEAT : null;
  }

  /** A message without operation that does not belong here; {@code names} are its fields. */
  static Problem missing(Collection<String> names) {
    String shown =
        String.join(", ", names.stream().limit(MAX_NAMES_SHOWN).map(JsonInput::quoted).toList());
    return new Problem(
        "expected a Debezium envelope with op, before, after and source; found no op, and "
            + (names.isEmpty() ? "no other names" : "the names " + shown)
            + ". If ExtractNewRecordState flattened it, set kafka.format to debezium-json-flat or"
            + " debezium-avro-flat");
  }

  /** An envelope where rows were expected. */
  static Problem unexpected() {
    return new Problem(
        "expected a row, found Debezium's envelope: set kafka.format to debezium-json or"
            + " debezium-avro");
  }

  /** The problem with a record that has no operation and no reason to have none. */
  Problem missing() {
    return missing(allNames());
  }

  private void clear() {
    seen = 0;
    op = null;
    hasAfter = false;
    hasBefore = false;
    hasDocument = false;
    textBefore = false;
    tsMillis = OptionalLong.empty();
    transaction.clear();
    names.clear();
    source.clear();
  }

  private boolean saw(Part part) {
    return (seen & 1 << part.ordinal()) != 0;
  }

  private void once(Part part) throws Problem {
    if (saw(part)) {
      throw new Problem("field " + part.field + " occurs twice");
    }
    seen |= 1 << part.ordinal();
  }

  private void before(JsonToken token, JsonParser in, RowPlan plan) throws Problem, IOException {
    once(Part.BEFORE);
    if (token == JsonToken.VALUE_NULL) {
      return;
    }
    if (token == JsonToken.VALUE_STRING) {
      textBefore = true; // a document, whose key is in the message key alone
      return;
    }
    try {
      rows.readKeyOfRow(in, plan, beforeKey);
    } catch (Problem problem) {
      throw problem.in("before");
    }
    hasBefore = true;
  }

  private void after(JsonToken token, JsonParser in, RowPlan plan) throws Problem, IOException {
    once(Part.AFTER);
    if (token == JsonToken.VALUE_NULL) {
      return;
    }
    try {
      if (token == JsonToken.VALUE_STRING) {
        documents.readDocument(in);
        hasDocument = true;
      } else {
        rows.readRow(in, plan, afterKey);
        hasAfter = true;
      }
    } catch (Problem problem) {
      throw problem.in("after");
    }
  }

  private void source(JsonToken token, JsonParser in) throws Problem, IOException {
    once(Part.SOURCE);
    if (token == JsonToken.VALUE_NULL) {
      return;
    }
    try {
      source.read(in);
    } catch (Problem problem) {
      throw problem.in("source");
    }
  }

  private String op(JsonToken token, JsonParser in) throws Problem, IOException {
    once(Part.OP);
    if (token != JsonToken.VALUE_STRING) {
      throw JsonInput.unexpected("a string", in).in("op");
    }
    return in.getText();
  }

  private void transaction(JsonToken token, JsonParser in) throws Problem, IOException {
    once(Part.TRANSACTION);
    if (token == JsonToken.VALUE_NULL) {
      return;
    }
    if (positions) {
      transaction.read(in);
    } else {
      in.skipChildren(); // nothing but a version is taken from it
    }
  }

  private OptionalLong millis(JsonToken token, JsonParser in) throws Problem, IOException {
    once(Part.TS_MS);
    if (token == JsonToken.VALUE_NULL) {
      return OptionalLong.empty();
    }
    if (token != JsonToken.VALUE_NUMBER_INT || in.getNumberType() == NumberType.BIG_INTEGER) {
      throw JsonInput.unexpected("a 64-bit integer", in).in("ts_ms");
    }
    return OptionalLong.of(in.getLongValue());
  }

  private void other(String name, JsonParser in) throws IOException {
    in.skipChildren();
    if (names.size() < MAX_NAMES_SHOWN) {
      names.add(name);
    }
  }
}
