package io.tidemark.debezium.version;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonParser.NumberType;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import java.io.IOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What matters of an event's {@code source} block, whichever connector wrote it. Reused from event
 * to event; not thread-safe.
 *
 * <p>Where the version is not taken from it ({@code kafka-offset}, {@code field:<path>}), any
 * program may have written it: a block or a field of another form is then one that is not said.
 */
public final class SourceBlock {

  /** How a field is written. */
  private enum Form {
    TEXT("a string"),
    NUMBER("a 64-bit integer"),
    /** One connector writes a number, another a text. */
    EITHER("a string or a 64-bit integer");

    private final String words;

    Form(String words) {
      this.words = words;
    }
  }

  /** The fields that some reader needs. */
  enum Field {
    CONNECTOR(Form.TEXT),
    VERSION(Form.TEXT),
    SEQUENCE(Form.TEXT),
    LSN(Form.NUMBER),
    COMMIT_LSN(Form.EITHER),
    CHANGE_LSN(Form.EITHER),
    EVENT_SERIAL_NO(Form.NUMBER),
    TX_ID("txId", Form.EITHER),
    TX_SEQ("txSeq", Form.NUMBER),
    FILE(Form.TEXT),
    POS(Form.NUMBER),
    SCN(Form.EITHER),
    COMMIT_SCN(Form.EITHER),
    SSN(Form.NUMBER),
    TS_MS(Form.NUMBER),
    TS_US(Form.NUMBER);

    private static final Map<String, Field> BY_NAME = new HashMap<>();

    static {
      for (Field field : values()) {
        BY_NAME.put(field.key, field);
      }
    }

    private final String key;
    private final Form form;

    Field(Form form) {
      this.key = name().toLowerCase(Locale.ROOT);
      this.form = form;
    }

    Field(String key, Form form) {
      this.key = key;
      this.form = form;
    }
  }

  private static final Set<String> WHOLE_DELETES = Set.of("mysql", "mariadb", "sqlserver");

  private static final int SNAPSHOT = 1 << Field.values().length;

  private final boolean givesVersion;

  // Bits by field's ordinal: these are read for every event.
  private int seen;
  private int numeric;
  private int textual;
  private final long[] numbers = new long[Field.values().length];
  private final @Nullable String[] texts = new String[Field.values().length];
  private SnapshotFlag snapshot = SnapshotFlag.NONE;

  /** One for the events of a scheme. */
  public SourceBlock(VersionScheme scheme) {
    givesVersion = scheme instanceof VersionScheme.Auto;
  }

  /** Forgets the last event's. */
  public void clear() {
    seen = 0;
    numeric = 0;
    textual = 0;
    snapshot = SnapshotFlag.NONE;
  }

  /**
   * Reads the object at the parser's current token; fields that no reader needs are skipped.
   *
   * @throws Problem if a field occurs twice, or the version is taken from here and a field has a
   *     type that it never has
   */
  public void read(JsonParser in) throws Problem, IOException {
    if (in.currentToken() != JsonToken.START_OBJECT) {
      passOver(JsonInput.unexpected("an object", in), in);
      return;
    }
    for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
      in.nextToken();
      readField(name, in);
    }
  }

  /**
   * Reads one field, whose value is at the current token.
   *
   * @throws Problem if it was read before, or the version is taken from here and it has a type that
   *     it never has
   */
  public void readField(String name, JsonParser in) throws Problem, IOException {
    Field field = Field.BY_NAME.get(name);
    if (field != null) {
      read(field, in);
    } else if (name.equals("snapshot")) {
      once(name, SNAPSHOT);
      try {
        snapshot = snapshot(in);
      } catch (Problem problem) {
        passOver(problem, in);
      }
    } else {
      in.skipChildren();
    }
  }

  /** Takes the connector's name from elsewhere if the block did not say it. */
  public void connectorIfAbsent(String name) {
    if (connector() == null) {
      texts[Field.CONNECTOR.ordinal()] = name;
      textual |= 1 << Field.CONNECTOR.ordinal();
    }
  }

  /** The connector's name, such as {@code postgresql}; null if it is not said. */
  public @Nullable String connector() {
    return text(Field.CONNECTOR);
  }

  /**
   * Whether a delete has the row's own values for sure: the binlog connectors start only where
   * {@code binlog_row_image} leaves out nothing but blobs, SQL Server's change tables hold whole
   * rows. Of all others it is not known.
   */
  public boolean hasWholeDeletes() {
    String connector = connector();
    return connector != null && WHOLE_DELETES.contains(connector);
  }

  /** The connector's version, such as {@code 3.6.1.Final}; null if it is not said. */
  public @Nullable String connectorVersion() {
    return text(Field.VERSION);
  }

  /** What kind of snapshot the event belongs to. */
  public SnapshotFlag snapshot() {
    return snapshot;
  }

  /** A field as text; null if it is absent, null or a number. */
  @Nullable String text(Field field) {
    return (textual & 1 << field.ordinal()) != 0 ? texts[field.ordinal()] : null;
  }

  /** A field as a number; empty if it is absent, null or a text. */
  OptionalLong number(Field field) {
    return (numeric & 1 << field.ordinal()) != 0
        ? OptionalLong.of(numbers[field.ordinal()])
        : OptionalLong.empty();
  }

  /**
   * When the source says that it made the change, microseconds since 1970-01-01T00:00:00Z; empty if
   * it does not say.
   */
  public OptionalLong timeMicros() {
    OptionalLong micros = number(Field.TS_US);
    if (micros.isPresent()) {
      return micros;
    }
    OptionalLong millis = number(Field.TS_MS);
    return millis.isPresent()
        ? OptionalLong.of(millisToMicros(millis.getAsLong()))
        : OptionalLong.empty();
  }

  /** Saturates: a time is shown to people and never compared, so that it must not fail. */
  public static long millisToMicros(long millis) {
    return Math.max(Long.MIN_VALUE / 1000, Math.min(Long.MAX_VALUE / 1000, millis)) * 1000;
  }

  private void once(String name, int bit) throws Problem {
    if ((seen & bit) != 0) {
      throw new Problem("field " + name + " occurs twice");
    }
    seen |= bit;
  }

  private void read(Field field, JsonParser in) throws Problem, IOException {
    int bit = 1 << field.ordinal();
    once(field.key, bit);
    JsonToken token = in.currentToken();
    boolean integer = token == JsonToken.VALUE_NUMBER_INT;
    if (integer && field.form != Form.TEXT && in.getNumberType() != NumberType.BIG_INTEGER) {
      numbers[field.ordinal()] = in.getLongValue();
      numeric |= bit;
    } else if ((token == JsonToken.VALUE_STRING || integer) && field.form != Form.NUMBER) {
      texts[field.ordinal()] = in.getText(); // a header's text of digits comes as a number
      textual |= bit;
    } else if (token != JsonToken.VALUE_NULL) {
      passOver(JsonInput.unexpected(field.form.words, in).in(field.key), in);
    }
  }

  private void passOver(Problem problem, JsonParser in) throws Problem, IOException {
    if (givesVersion) {
      throw problem;
    }
    in.skipChildren();
  }

  private static SnapshotFlag snapshot(JsonParser in) throws Problem, IOException {
    return switch (in.currentToken()) {
      case VALUE_NULL, VALUE_FALSE -> SnapshotFlag.NONE;
      case VALUE_TRUE -> SnapshotFlag.WHOLE;
      case VALUE_STRING -> snapshot(in.getText());
      default -> throw JsonInput.unexpected("a string or a boolean", in).in("snapshot");
    };
  }

  private static SnapshotFlag snapshot(String text) throws Problem {
    return switch (text) {
      case "false" -> SnapshotFlag.NONE;
      case "true", "first", "first_in_data_collection", "last_in_data_collection", "last" ->
          SnapshotFlag.WHOLE;
      case "incremental" -> SnapshotFlag.INCREMENTAL;
      default ->
          throw new Problem(
              "snapshot: expected true, first, first_in_data_collection, last_in_data_collection,"
                  + " last, false or incremental, found "
                  + JsonInput.quoted(text));
    };
  }
}
