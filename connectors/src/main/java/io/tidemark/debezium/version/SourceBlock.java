package io.tidemark.debezium.version;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonParser.NumberType;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import java.io.IOException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What matters of an event's {@code source} block, whichever connector wrote it. Reused from event
 * to event; not thread-safe.
 */
public final class SourceBlock {
  private static final int CONNECTOR = 1;
  private static final int SNAPSHOT = 1 << 1;
  private static final int SEQUENCE = 1 << 2;
  private static final int LSN = 1 << 3;
  private static final int COMMIT_LSN = 1 << 4;
  private static final int TS_MS = 1 << 5;
  private static final int TS_US = 1 << 6;
  private static final int TX_ID = 1 << 7;

  private int seen;
  private @Nullable String connector;
  private @Nullable String sequence;
  private SnapshotFlag snapshot = SnapshotFlag.NONE;

  // Primitive, with a bit in `present`: these are read for every event.
  private int present;
  private long lsn;
  private long commitLsn;
  private long txId;
  private long tsMillis;
  private long tsMicros;

  /** Forgets the last event's. */
  public void clear() {
    seen = 0;
    present = 0;
    connector = null;
    sequence = null;
    snapshot = SnapshotFlag.NONE;
  }

  /**
   * Reads the object at the parser's current token; fields that no reader needs are skipped.
   *
   * @throws Problem if a field has a type that it never has, or occurs twice
   */
  public void read(JsonParser in) throws Problem, IOException {
    if (in.currentToken() != JsonToken.START_OBJECT) {
      throw JsonInput.unexpected("an object", in);
    }
    for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
      in.nextToken();
      readField(name, in);
    }
  }

  /**
   * Reads one field, whose value is at the current token.
   *
   * @throws Problem if it has a type that it never has, or was read before
   */
  public void readField(String name, JsonParser in) throws Problem, IOException {
    switch (name) {
      case "connector" -> connector = text(name, CONNECTOR, in);
      case "snapshot" -> snapshot = snapshot(in);
      case "sequence" -> sequence = text(name, SEQUENCE, in);
      case "lsn" -> lsn = number(name, LSN, in);
      case "commit_lsn" -> commitLsn = number(name, COMMIT_LSN, in);
      case "txId" -> txId = number(name, TX_ID, in);
      case "ts_ms" -> tsMillis = number(name, TS_MS, in);
      case "ts_us" -> tsMicros = number(name, TS_US, in);
      default -> in.skipChildren();
    }
  }

  /** Takes the connector's name from elsewhere if the block did not say it. */
  public void connectorIfAbsent(String name) {
    if (connector == null) {
      connector = name;
    }
  }

  /** The connector's name, such as {@code postgresql}; null if it is not said. */
  public @Nullable String connector() {
    return connector;
  }

  /** What kind of snapshot the event belongs to. */
  public SnapshotFlag snapshot() {
    return snapshot;
  }

  /** The text of {@code sequence}; null if it is absent or null. */
  public @Nullable String sequence() {
    return sequence;
  }

  /** PostgreSQL's position of the change. */
  public OptionalLong lsn() {
    return optional(LSN, lsn);
  }

  /** PostgreSQL's position of the change's own commit, which recent versions of Debezium write. */
  public OptionalLong commitLsn() {
    return optional(COMMIT_LSN, commitLsn);
  }

  /** PostgreSQL's number of the transaction. */
  public OptionalLong txId() {
    return optional(TX_ID, txId);
  }

  /**
   * When the source says that it made the change, microseconds since 1970-01-01T00:00:00Z; empty if
   * it does not say.
   */
  public OptionalLong timeMicros() {
    if ((present & TS_US) != 0) {
      return OptionalLong.of(tsMicros);
    }
    return (present & TS_MS) != 0
        ? OptionalLong.of(millisToMicros(tsMillis))
        : OptionalLong.empty();
  }

  /** Saturates: a time is shown to people and never compared, so that it must not fail. */
  public static long millisToMicros(long millis) {
    return Math.max(Long.MIN_VALUE / 1000, Math.min(Long.MAX_VALUE / 1000, millis)) * 1000;
  }

  private OptionalLong optional(int field, long value) {
    return (present & field) != 0 ? OptionalLong.of(value) : OptionalLong.empty();
  }

  private void once(String name, int field) throws Problem {
    if ((seen & field) != 0) {
      throw new Problem("field " + name + " occurs twice");
    }
    seen |= field;
  }

  private long number(String name, int field, JsonParser in) throws Problem, IOException {
    once(name, field);
    if (in.currentToken() == JsonToken.VALUE_NULL) {
      return 0;
    }
    if (in.currentToken() != JsonToken.VALUE_NUMBER_INT
        || in.getNumberType() == NumberType.BIG_INTEGER) {
      throw JsonInput.unexpected("a 64-bit integer", in).in(name);
    }
    present |= field;
    return in.getLongValue();
  }

  private @Nullable String text(String name, int field, JsonParser in) throws Problem, IOException {
    once(name, field);
    if (in.currentToken() == JsonToken.VALUE_NULL) {
      return null;
    }
    // A header's text of digits comes as a number.
    if (in.currentToken() != JsonToken.VALUE_STRING
        && in.currentToken() != JsonToken.VALUE_NUMBER_INT) {
      throw JsonInput.unexpected("a string", in).in(name);
    }
    return in.getText();
  }

  private SnapshotFlag snapshot(JsonParser in) throws Problem, IOException {
    once("snapshot", SNAPSHOT);
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
