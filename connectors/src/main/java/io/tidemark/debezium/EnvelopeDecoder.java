package io.tidemark.debezium;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.change.Kind;
import io.tidemark.change.SourcePosition;
import io.tidemark.debezium.DecodeResult.Decoded;
import io.tidemark.debezium.DecodeResult.Ignored;
import io.tidemark.debezium.DecodeResult.Malformed;
import io.tidemark.debezium.DecodeResult.Reason;
import io.tidemark.debezium.json.Frame;
import io.tidemark.debezium.json.FrameReader;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import io.tidemark.debezium.version.EventFacts;
import io.tidemark.debezium.version.SnapshotFlag;
import io.tidemark.debezium.version.SourceBlock;
import io.tidemark.debezium.version.VersionReader;
import io.tidemark.row.Column;
import io.tidemark.row.RowShape;
import io.tidemark.row.RowWriter;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the JSON messages of one table, with and without schema, which it finds out message by
 * message. A key change is a delete and an insert to Debezium, and so to it.
 *
 * <p>Every record has an outcome; none throws. Not thread-safe: one per reader and table.
 */
public final class EnvelopeDecoder {
  private final DecoderSettings settings;
  private final RowWriter writer;
  private final VersionReader versions;
  private final RowReader rows;
  private final KeyValues key;
  private final Envelope envelope;
  private final FrameReader valueFrames = new FrameReader();
  private final FrameReader keyFrames = new FrameReader();
  private final PlanCache valuePlans;
  private final PlanCache keyPlans;

  /**
   * Makes one.
   *
   * @param shape the table's columns
   * @param writer of that shape; the decoder's own from here on
   * @throws IllegalArgumentException if the settings name a column that the shape does not have, an
   *     encoding that its type does not have, or key columns other than the shape's
   */
  public EnvelopeDecoder(RowShape shape, DecoderSettings settings, RowWriter writer) {
    this(shape, settings, writer, VersionReader.of(settings.version()));
  }

  EnvelopeDecoder(
      RowShape shape, DecoderSettings settings, RowWriter writer, VersionReader versions) {
    requireKnownColumns(shape, settings);
    this.settings = settings;
    this.writer = writer;
    this.versions = versions;
    rows = new RowReader(shape, settings, writer);
    key = new KeyValues(shape);
    envelope =
        new Envelope(
            rows, new KeyValues(shape), new KeyValues(shape), !settings.keyColumns().isEmpty());
    valuePlans = new PlanCache(shape, settings.encodings(), "after");
    keyPlans = new PlanCache(shape, settings.encodings(), null);
  }

  /** What a record is. The row of a {@link Decoded} belongs to the caller. */
  public DecodeResult decode(RawRecord record) {
    byte[] value = record.value();
    if (value == null) {
      return new Ignored(Reason.TOMBSTONE);
    }
    try {
      return decode(record, value);
    } catch (Problem problem) {
      return Malformed.of(problem);
    }
  }

  private DecodeResult decode(RawRecord record, byte[] value) throws Problem {
    Frame frame;
    try {
      frame = valueFrames.read(value);
      RowPlan plan = valuePlans.plan(frame.schema());
      try (JsonParser in = JsonInput.open(value, frame.from(), frame.to())) {
        envelope.read(in, plan);
      }
    } catch (IOException broken) {
      throw JsonInput.broken(broken).in("value");
    }
    String op = envelope.op();
    if (op == null) {
      return withoutOperation();
    }
    return switch (op) {
      case "c", "u", "r" -> upsert(record, value, frame, op);
      case "d" -> delete(record, value, frame);
      case "m" -> new Ignored(Reason.MESSAGE);
      case "t" ->
          throw new Problem(
              "op t: the source table was truncated, and truncates are refused, since no change says"
                  + " which rows went. Build the table anew from a snapshot; to leave truncates out of"
                  + " the topic keep Debezium's skipped.operations at t");
      default ->
          throw new Problem("op: expected c, u, r, d, m or t, found " + JsonInput.quoted(op));
    };
  }

  private DecodeResult withoutOperation() throws Problem {
    Reason reason = envelope.reason();
    if (reason == null) {
      throw new Problem(
          "expected a Debezium envelope with op, before, after and source; found no op, and beside"
              + " these names "
              + envelope.otherNames());
    }
    return new Ignored(reason);
  }

  private DecodeResult upsert(RawRecord record, byte[] value, Frame frame, String op)
      throws Problem {
    if (!envelope.hasAfter()) {
      throw new Problem("op " + op + ": expected a row in after, found none");
    }
    if (settings.keyColumns().isEmpty()) {
      readKey(record.key());
      // The row's key says what a delete must hit later, the message's which key this change is of.
      if (!key.sameAs(envelope.afterKey)) {
        throw new Problem("the message key is not the key of the row in after");
      }
    }
    return decoded(record, facts(Kind.UPSERT, snapshot(op), value, frame), envelope.afterKey);
  }

  private DecodeResult delete(RawRecord record, byte[] value, Frame frame) throws Problem {
    KeyValues deleted = settings.keyColumns().isEmpty() ? readKey(record.key()) : keyOfDeletedRow();
    EventFacts facts = facts(Kind.DELETE, SnapshotFlag.NONE, value, frame);
    writer.start();
    deleted.copyTo(writer);
    return decoded(record, facts, deleted);
  }

  private KeyValues keyOfDeletedRow() throws Problem {
    KeyValues found = envelope.hasBefore() ? envelope.beforeKey : envelope.afterKey;
    String missing =
        envelope.hasBefore() || envelope.hasAfter()
            ? found.missing()
            : String.join(", ", settings.keyColumns());
    if (missing != null) {
      throw new Problem(
          "op d: expected the key columns "
              + String.join(", ", settings.keyColumns())
              + " in before, found none named "
              + missing
              + ". Set REPLICA IDENTITY FULL on the source table");
    }
    return found;
  }

  private KeyValues readKey(byte @Nullable [] bytes) throws Problem {
    if (bytes == null) {
      throw new Problem(
          "the message has no key. Name the columns of the key in the route (key: [...]), or give the"
              + " source table a primary key");
    }
    try {
      Frame frame = keyFrames.read(bytes);
      RowPlan plan = keyPlans.plan(frame.schema());
      try (JsonParser in = JsonInput.open(bytes, frame.from(), frame.to())) {
        in.nextToken();
        rows.readKey(in, plan, key);
        JsonInput.expectEnd(in);
      }
    } catch (IOException broken) {
      throw JsonInput.broken(broken).in("message key");
    } catch (Problem problem) {
      throw problem.in("message key");
    }
    return key;
  }

  /**
   * A change that claims to be a snapshot's is still a change, but for a {@code c} of old versions.
   */
  private SnapshotFlag snapshot(String op) {
    SnapshotFlag flag = envelope.source.snapshot();
    if (op.equals("r")) {
      return flag == SnapshotFlag.INCREMENTAL ? flag : SnapshotFlag.WHOLE;
    }
    return op.equals("c") && flag == SnapshotFlag.WHOLE ? flag : SnapshotFlag.NONE;
  }

  private EventFacts facts(Kind kind, SnapshotFlag snapshot, byte[] value, Frame frame) {
    return new EventFacts(
        envelope.source, envelope.transaction, kind, snapshot, value, frame.from(), frame.to());
  }

  private Decoded decoded(RawRecord record, EventFacts facts, KeyValues keyValues) throws Problem {
    SourcePosition position = versions.read(facts);
    return new Decoded(
        keyValues.key(), facts.kind(), position, sourceTimeMicros(record), writer.finish());
  }

  private long sourceTimeMicros(RawRecord record) {
    return envelope
        .source
        .timeMicros()
        .orElseGet(
            () -> SourceBlock.millisToMicros(envelope.tsMillis().orElse(record.timestampMillis())));
  }

  private static void requireKnownColumns(RowShape shape, DecoderSettings settings) {
    Set<String> unknown = new HashSet<>(settings.encodings().keySet());
    unknown.removeAll(shape.positions().keySet());
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException("Encodings name columns that are not there: " + unknown);
    }
    Set<String> keys =
        shape.columns().stream().filter(Column::key).map(Column::name).collect(Collectors.toSet());
    if (!settings.keyColumns().isEmpty() && !keys.equals(Set.copyOf(settings.keyColumns()))) {
      throw new IllegalArgumentException(
          "The key columns are " + keys + ", the settings name " + settings.keyColumns());
    }
  }
}
