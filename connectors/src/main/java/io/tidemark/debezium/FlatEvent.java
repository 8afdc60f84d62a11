package io.tidemark.debezium;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonParser.NumberType;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import io.tidemark.debezium.version.SourceBlock;
import io.tidemark.debezium.version.TransactionBlock;
import io.tidemark.debezium.version.VersionScheme;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is left of an envelope in a flattened message: the fields and headers that the transform was
 * told to add. Reused from message to message.
 */
final class FlatEvent {
  private static final int MAX_NAMES = 12;

  /** Debezium's own headers, which are no fields of the envelope. */
  private static final String DEBEZIUM = "__debezium.";

  /** The header that names the connector. */
  static final String CONNECTOR = DEBEZIUM + "context.connectorName";

  private final AddedNames fields;
  private final AddedNames headers;
  private final boolean positions;
  final SourceBlock source;
  final TransactionBlock transaction = new TransactionBlock();
  private final Set<String> seen = new HashSet<>();
  private final Set<String> columns;
  private final Set<String> names = new LinkedHashSet<>();
  private boolean sawColumn;

  private @Nullable String op;
  private boolean deleted;
  private OptionalLong tsMillis = OptionalLong.empty();

  /**
   * Makes one.
   *
   * @param columns the names of the table's columns
   * @param scheme where the changes have their versions from
   */
  FlatEvent(Unwrap unwrap, Set<String> columns, VersionScheme scheme) {
    this.columns = columns;
    fields = AddedNames.ofFields(unwrap);
    headers = AddedNames.ofHeaders(unwrap);
    source = new SourceBlock(scheme);
    positions = scheme instanceof VersionScheme.Auto;
  }

  /** Forgets the last message's. */
  void clear() {
    source.clear();
    seen.clear();
    names.clear();
    sawColumn = false;
    op = null;
    deleted = false;
    tsMillis = OptionalLong.empty();
    transaction.clear();
  }

  /** Whether a field was added by the transform, and so is no column. */
  boolean isAdded(String field) {
    return fields.find(field) != null;
  }

  /** Reads the added fields of the object at the current token and skips its columns. */
  void readFields(JsonParser in) throws Problem, IOException {
    for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
      in.nextToken();
      AddedName added = fields.find(name);
      if (added != null) {
        read(added, "field " + name, in);
      } else {
        in.skipChildren();
      }
      sawColumn |= columns.contains(name);
      if (!sawColumn && names.size() < MAX_NAMES) {
        names.add(name);
      }
    }
  }

  /**
   * Reads the added headers; what a field said already is not read again. Other programs write
   * headers too, so that a prefix alone says nothing of one.
   */
  void readHeaders(Map<String, byte[]> all) throws Problem {
    for (Map.Entry<String, byte[]> header : all.entrySet()) {
      String name = header.getKey();
      AddedName added = name.startsWith(DEBEZIUM) ? null : headers.find(name);
      if (added != null && header.getValue() != null && !seen.contains(path(added))) {
        String place = "header " + name;
        try (JsonParser in = HeaderText.open(header.getValue())) {
          in.nextToken();
          read(added, place, in);
        } catch (IOException broken) {
          throw JsonInput.broken(broken).in(place);
        }
      }
    }
    byte[] header = all.get(CONNECTOR);
    String connector = header == null ? null : connectorOf(header);
    if (connector != null) {
      source.connectorIfAbsent(connector);
    }
  }

  /**
   * The connector that wrote a record, of Debezium's own header; null if it says null.
   *
   * @throws Problem if it is not as a header converter writes it
   */
  static @Nullable String connectorOf(byte[] header) throws Problem {
    try {
      return HeaderText.text(header);
    } catch (Problem problem) {
      throw problem.in("header " + CONNECTOR);
    } catch (IOException broken) {
      throw JsonInput.broken(broken).in("header " + CONNECTOR);
    }
  }

  private void read(AddedName added, String place, JsonParser in) throws Problem, IOException {
    if (!seen.add(path(added))) {
      throw new Problem(place + ": " + path(added) + " occurs twice");
    }
    if (in.currentToken() == JsonToken.VALUE_NULL) {
      return;
    }
    try {
      switch (added.block()) {
        case "" -> readOwn(added.field(), in);
        case AddedName.SOURCE -> source.readField(added.field(), in);
        case AddedName.TRANSACTION -> ofTransaction(added.field(), in);
        default -> in.skipChildren();
      }
    } catch (Problem problem) {
      throw problem.in(place);
    }
  }

  private void ofTransaction(String field, JsonParser in) throws Problem, IOException {
    if (positions) {
      transaction.readField(field, in);
    } else {
      in.skipChildren(); // nothing but a version is taken from it
    }
  }

  private void readOwn(String field, JsonParser in) throws Problem, IOException {
    switch (field) {
      case "op" -> op = text(in);
      case "deleted" -> deleted = flag(in);
      case "ts_ms" -> tsMillis = OptionalLong.of(integer(in));
      default -> in.skipChildren();
    }
  }

  private static String text(JsonParser in) throws Problem, IOException {
    if (in.currentToken() != JsonToken.VALUE_STRING) {
      throw JsonInput.unexpected("a string", in);
    }
    return in.getText();
  }

  /** Debezium writes it as text; a cast transform may have made it a boolean. */
  private static boolean flag(JsonParser in) throws Problem, IOException {
    if (in.currentToken() == JsonToken.VALUE_TRUE || in.currentToken() == JsonToken.VALUE_FALSE) {
      return in.currentToken() == JsonToken.VALUE_TRUE;
    }
    String text = text(in);
    if (!text.equals("true") && !text.equals("false")) {
      throw new Problem("expected true or false, found another string");
    }
    return text.equals("true");
  }

  private static long integer(JsonParser in) throws Problem, IOException {
    if (in.currentToken() != JsonToken.VALUE_NUMBER_INT
        || in.getNumberType() == NumberType.BIG_INTEGER) {
      throw JsonInput.unexpected("a 64-bit integer", in);
    }
    return in.getLongValue();
  }

  private static String path(AddedName added) {
    return added.block().isEmpty() ? added.field() : added.block() + "." + added.field();
  }

  /** Whether the envelope's field was there, if only as null; such as {@code source.lsn}. */
  boolean saw(String path) {
    return seen.contains(path);
  }

  /** Whether no other field of the envelope was there. */
  boolean sawNothingBut(String path) {
    return Set.of(path).containsAll(seen);
  }

  /** The operation; null if the transform was not told to add it. */
  @Nullable String op() {
    return op;
  }

  /** Whether the row is a deleted one. */
  boolean isDelete() {
    return deleted || "d".equals(op);
  }

  /** Whether a field is a column of the table. */
  boolean sawColumn() {
    return sawColumn;
  }

  /** The names of the message, the first of them, up to a column of the table. */
  Set<String> names() {
    return names;
  }

  /** When the connector wrote the event, milliseconds since 1970-01-01T00:00:00Z. */
  OptionalLong tsMillis() {
    return tsMillis;
  }
}
