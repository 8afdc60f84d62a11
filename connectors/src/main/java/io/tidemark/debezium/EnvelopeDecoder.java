package io.tidemark.debezium;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.change.Change;
import io.tidemark.change.Kind;
import io.tidemark.change.RemovedRow;
import io.tidemark.change.SourcePosition;
import io.tidemark.change.Unsent;
import io.tidemark.debezium.DecodeResult.Decoded;
import io.tidemark.debezium.DecodeResult.Ignored;
import io.tidemark.debezium.DecodeResult.Malformed;
import io.tidemark.debezium.DecodeResult.Reason;
import io.tidemark.debezium.format.Message;
import io.tidemark.debezium.format.MessageReader;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import io.tidemark.debezium.version.EventFacts;
import io.tidemark.debezium.version.SnapshotFlag;
import io.tidemark.debezium.version.SourceBlock;
import io.tidemark.debezium.version.VersionReader;
import io.tidemark.row.RowShape;
import io.tidemark.row.RowWriter;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Decodes messages in Debezium's envelope, with and without schema, which it finds out message by
 * message. A key change is a delete and an insert to Debezium, and so to it.
 */
public final class EnvelopeDecoder implements ChangeDecoder {
  private final DecoderSettings settings;
  private final RowWriter writer;
  private final VersionReader versions;
  private final RowReader rows;
  private final DocumentTable documents;
  private final Envelope envelope;
  private final MessageReader values;
  private final KeyReader keys;
  private final InventedKey invented;
  private final PlanCache valuePlans;
  private final KeyValues removedKey;

  /**
   * Makes one.
   *
   * @param shape the table's columns
   * @param writer of that shape; the decoder's own from here on
   * @throws IllegalArgumentException if the settings name a column that the shape does not have, an
   *     encoding that its type does not have, or key columns other than the shape's
   */
  public EnvelopeDecoder(RowShape shape, DecoderSettings settings, RowWriter writer) {
    this(shape, settings, writer, VersionReader.of(settings.version(), settings.wholeBefore()));
  }

  EnvelopeDecoder(
      RowShape shape, DecoderSettings settings, RowWriter writer, VersionReader versions) {
    settings.requireFit(shape);
    this.settings = settings;
    this.writer = writer;
    this.versions = versions;
    rows = new RowReader(shape, settings, writer);
    documents = new DocumentTable(shape, settings, writer);
    envelope = new Envelope(rows, documents, shape, settings.version());
    valuePlans = new PlanCache(shape, settings.encodings(), "after", rows.budget());
    removedKey = new KeyValues(shape);
    values = settings.format().values();
    keys = new KeyReader(shape, settings, rows);
    invented = new InventedKey(shape, settings, rows, keys, "before");
  }

  @Override
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
    Message message;
    try {
      message = values.read(value, record.headers());
      RowPlan plan = valuePlans.plan(message.schema());
      try (JsonParser in = message.open()) {
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
      case "c", "u", "r" -> upsert(record, message, op);
      case "d" -> delete(record, message);
      case "m" -> new Ignored(Reason.MESSAGE);
      case "t" -> truncate();
      default ->
          throw new Problem("op: expected c, u, r, d, m or t, found " + JsonInput.quoted(op));
    };
  }

  private DecodeResult truncate() throws Problem {
    if (settings.onTruncate() == OnTruncate.IGNORE) {
      return new Ignored(Reason.TRUNCATE);
    }
    throw new Problem(
        "op t: the source table was truncated, and truncates are refused, since no change says"
            + " which rows went. Build the table anew from a snapshot, or set truncate: ignore in the"
            + " route to keep the rows; to leave truncates out of the topic keep Debezium's"
            + " skipped.operations at t");
  }

  private DecodeResult withoutOperation() throws Problem {
    Reason reason = envelope.reason();
    if (reason == null) {
      throw envelope.missing();
    }
    return new Ignored(reason);
  }

  private DecodeResult upsert(RawRecord record, Message message, String op) throws Problem {
    if (isOfMongoDb()) {
      return document(record, message, op);
    }
    if (!envelope.hasAfter()) {
      throw new Problem(
          "op "
              + op
              + ": expected a row in after, found "
              + (envelope.hasDocument() ? "a document, which MongoDB alone sends" : "none"));
    }
    if (settings.keyColumns().isEmpty()) {
      // The row's key says what a delete must hit later, the message's which key this change is of.
      if (!keys.read(record).sameAs(envelope.afterKey)) {
        throw new Problem("the message key is not the key of the row in after");
      }
    } else {
      keys.requirePlaced(record, envelope.afterKey);
    }
    if (op.equals("u")) {
      requireSameKey(record, message);
    }
    Unsent unsent = unsent(record, op);
    return decoded(record, facts(Kind.UPSERT, snapshot(op), message), envelope.afterKey, unsent);
  }

  private boolean isOfMongoDb() {
    return DocumentTable.CONNECTOR.equals(envelope.source.connector());
  }

  private DecodeResult document(RawRecord record, Message message, String op) throws Problem {
    if (envelope.hasAfter()) {
      throw new Problem("after: expected a document of MongoDB as a string, found an object");
    }
    if (!envelope.hasDocument()) {
      if (!op.equals("u")) {
        throw new Problem("op " + op + ": expected a document in after, found none");
      }
      if (settings.onMissingDocument() == OnMissingDocument.IGNORE) {
        return new Ignored(Reason.MISSING_DOCUMENT);
      }
      throw DocumentTable.missing();
    }
    KeyValues key = documents.readKey(record);
    key.copyTo(writer);
    return decoded(record, facts(Kind.UPSERT, snapshot(op), message), key, null);
  }

  private @Nullable Unsent unsent(RawRecord record, String op) throws Problem {
    try {
      return rows.unsent(record, envelope.source, op);
    } catch (Problem problem) {
      throw problem.in("after");
    }
  }

  /** Debezium makes a delete and an insert of an update that changes the key, if it can see it. */
  private void requireSameKey(RawRecord record, Message message) throws Problem {
    if (envelope.hasBefore()
        && envelope.beforeKey.missing() == null
        && !envelope.beforeKey.sameAs(envelope.afterKey)) {
      requireSent(record, message, "u", envelope.beforeKey);
      throw new Problem(
          "op u: the key in before is another than in after, and no change deletes the row of the old"
              + " key, which would stay. "
              + (settings.keyColumns().isEmpty()
                  ? "Set REPLICA IDENTITY FULL on the source table, or take columns into the message key"
                      + " that no update changes"
                  : "Name columns in the route's key that no update changes"));
    }
  }

  private void requireSent(RawRecord record, Message message, String op, KeyValues row)
      throws Problem {
    try {
      RowPlan plan = valuePlans.plan(message.schema());
      invented.refuse(record, envelope.source, message, plan, row);
    } catch (Problem problem) {
      throw problem.in("op " + op);
    }
  }

  private DecodeResult delete(RawRecord record, Message message) throws Problem {
    KeyValues deleted = keyOfDelete(record, message);
    EventFacts facts = facts(Kind.DELETE, SnapshotFlag.NONE, message);
    RemovedRow removed = settings.wholeBefore() ? removed(record, message) : null;
    writer.start();
    deleted.copyTo(writer);
    Decoded delete = decoded(record, facts, deleted, null);
    return removed == null
        ? delete
        : new Decoded(
            delete.key(),
            delete.kind(),
            delete.source(),
            delete.sourceTimeMicros(),
            delete.row(),
            null,
            removed);
  }

  /**
   * The row in {@code before}, read once more, whole: its own pass takes the key from it alone. Of
   * PostgreSQL, whose position begins with the transaction.
   *
   * @return null if it is not known
   */
  private @Nullable RemovedRow removed(RawRecord record, Message message) throws Problem {
    if (!RowReader.POSTGRES.equals(envelope.source.connector())) {
      return null;
    }
    if (envelope.hasBefore()) {
      try (JsonParser in = message.open()) {
        in.nextToken();
        for (String name = in.nextFieldName(); !"before".equals(name); name = in.nextFieldName()) {
          in.nextToken();
          in.skipChildren();
        }
        in.nextToken();
        rows.readRow(in, valuePlans.plan(message.schema()), removedKey);
        rows.unsent(record, envelope.source, "r"); // whole: nothing in it stands for something else
        return new RemovedRow(Change.contentHash(writer.finish(), null), record.at());
      } catch (IOException | Problem unreadable) {
        // No row with such a value came into the table, but the key is to be deleted all the same.
        return null;
      }
    }
    throw new Problem(
        "op d: expected the whole row in before, as the route's before: full says, found none. Set"
            + " REPLICA IDENTITY FULL on the source table, or before: key");
  }

  private KeyValues keyOfDelete(RawRecord record, Message message) throws Problem {
    if (isOfMongoDb()) {
      return documents.readKey(record);
    }
    if (settings.keyColumns().isEmpty()) {
      return keys.read(record);
    }
    KeyValues deleted = keyOfDeletedRow();
    keys.requirePlaced(record, deleted);
    requireSent(record, message, "d", deleted);
    return deleted;
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

  private SnapshotFlag snapshot(String op) {
    return envelope.source.snapshot().under(op);
  }

  private EventFacts facts(Kind kind, SnapshotFlag snapshot, Message message) {
    return new EventFacts(envelope.source, envelope.transaction, kind, snapshot, message);
  }

  private Decoded decoded(
      RawRecord record, EventFacts facts, KeyValues keyValues, @Nullable Unsent unsent)
      throws Problem {
    SourcePosition position = versions.read(facts);
    return new Decoded(
        keyValues.key(), facts.kind(), position, sourceTimeMicros(record), writer.finish(), unsent);
  }

  private long sourceTimeMicros(RawRecord record) {
    return envelope
        .source
        .timeMicros()
        .orElseGet(
            () -> SourceBlock.millisToMicros(envelope.tsMillis().orElse(record.timestampMillis())));
  }
}
