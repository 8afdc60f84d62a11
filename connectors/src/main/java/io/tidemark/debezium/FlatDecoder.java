package io.tidemark.debezium;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.change.Kind;
import io.tidemark.change.SourcePosition;
import io.tidemark.change.Unsent;
import io.tidemark.debezium.DecodeResult.Decoded;
import io.tidemark.debezium.DecodeResult.Ignored;
import io.tidemark.debezium.DecodeResult.Malformed;
import io.tidemark.debezium.DecodeResult.Reason;
import io.tidemark.debezium.Unwrap.DeleteHandling;
import io.tidemark.debezium.format.JsonFormat;
import io.tidemark.debezium.format.Message;
import io.tidemark.debezium.format.MessageReader;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import io.tidemark.debezium.version.EventFacts;
import io.tidemark.debezium.version.SnapshotFlag;
import io.tidemark.debezium.version.SourceBlock;
import io.tidemark.debezium.version.VersionReader;
import io.tidemark.debezium.version.VersionScheme;
import io.tidemark.row.RowShape;
import io.tidemark.row.RowWriter;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the rows that Debezium's {@code ExtractNewRecordState} takes out of the envelope. The
 * position is where the transform was told to put it; a change without one is malformed, since the
 * order of arrival is another one.
 *
 * <p>A message is read twice: whether it is a delete, whose row holds invented values, is said
 * behind the row.
 */
final class FlatDecoder implements ChangeDecoder {
  private static final byte[] NULL = {'n', 'u', 'l', 'l'};

  private static final String ADD_TO_DELETES =
      ". For deletes set delete.tombstone.handling.mode=rewrite, or the same list as add.headers,"
          + " in the transform and in kafka.unwrap";

  private static final String NO_COLUMNS =
      ". A delete without its row has no columns: set delete.tombstone.handling.mode=rewrite in the"
          + " transform and in kafka.unwrap";

  private final DecoderSettings settings;
  private final RowWriter writer;
  private final VersionReader versions;
  private final DeleteHandling deletes;
  private final RowReader rows;
  private final KeyReader keys;
  private final InventedKey invented;
  private final KeyValues rowKey;
  private final MessageReader values;
  private final PlanCache plans;
  private final FlatEvent event;

  FlatDecoder(RowShape shape, DecoderSettings settings, RowWriter writer) {
    settings.requireFit(shape);
    Unwrap unwrap = Objects.requireNonNull(settings.unwrap(), "unwrap");
    this.settings = settings;
    this.writer = writer;
    this.deletes = unwrap.deletes();
    this.event = new FlatEvent(unwrap, shape.positions().keySet(), settings.version());
    this.versions =
        VersionReader.ofFlat(settings.version(), settings.wholeBefore(), event::isAdded);
    this.rows = new RowReader(shape, settings, writer, event::isAdded);
    this.keys = new KeyReader(shape, settings, rows);
    this.invented = new InventedKey(shape, settings, rows, keys, null);
    this.rowKey = new KeyValues(shape);
    this.values = settings.format().values();
    this.plans = new PlanCache(shape, settings.encodings(), null, rows.budget());
  }

  @Override
  public DecodeResult decode(RawRecord record) {
    byte[] value = record.value();
    try {
      event.clear();
      return value == null ? withoutRow(record) : decode(record, value);
    } catch (Problem problem) {
      return Malformed.of(problem);
    } catch (IOException broken) {
      return new Malformed(JsonInput.broken(broken).in("value").text());
    }
  }

  private DecodeResult decode(RawRecord record, byte[] value) throws Problem, IOException {
    Message message = values.read(value, record.headers());
    try (JsonParser in = message.open()) {
      JsonToken first = in.nextToken();
      if (first == JsonToken.VALUE_NULL) {
        JsonInput.expectEnd(in);
        return withoutRow(record); // the JSON converter's null, where the record has a schema
      }
      if (first != JsonToken.START_OBJECT) {
        throw JsonInput.unexpected("a row as an object", in);
      }
      event.readFields(in);
      JsonInput.expectEnd(in);
    }
    event.readHeaders(record.headers());
    DocumentTable.refuseFlattened(event.source.connector());
    if (!event.sawColumn()) {
      return withoutColumns();
    }
    return event.isDelete() ? rewritten(record, message) : upsert(record, message);
  }

  /** A record that came through the transform as it was, since it has no envelope. */
  private DecodeResult withoutColumns() throws Problem {
    Reason reason = Envelope.reason(event.names());
    if (reason != null) {
      return new Ignored(reason);
    }
    if (event.names().containsAll(Set.of("op", "source", "after"))) {
      throw Envelope.unexpected();
    }
    throw new Problem("expected a row with columns of the table, found none of them");
  }

  private DecodeResult upsert(RawRecord record, Message message) throws Problem, IOException {
    if (isRewrite() && !event.saw("deleted")) {
      throw new Problem(
          "deleted is missing, which delete.tombstone.handling.mode=rewrite adds to each row: where"
              + " the transform has another mode, its deletes would be passed over. Correct"
              + " kafka.unwrap.delete.tombstone.handling.mode");
    }
    RowPlan plan = plans.plan(message.schema());
    try (JsonParser in = message.open()) {
      in.nextToken();
      rows.readRow(in, plan, rowKey);
    }
    if (!settings.keyColumns().isEmpty()) {
      keys.requirePlaced(record, rowKey);
    } else if (!keys.read(record).sameAs(rowKey)) {
      throw new Problem("the message key is not the key of the row");
    }
    Unsent unsent = rows.unsent(record, event.source, event.op());
    return decoded(record, Kind.UPSERT, snapshot(), message, rowKey, unsent);
  }

  private boolean isRewrite() {
    return deletes == DeleteHandling.REWRITE || deletes == DeleteHandling.REWRITE_WITH_TOMBSTONE;
  }

  /** A delete as the row that was deleted. */
  private DecodeResult rewritten(RawRecord record, Message message) throws Problem, IOException {
    KeyValues deleted;
    if (settings.keyColumns().isEmpty()) {
      deleted = keys.read(record);
    } else {
      RowPlan plan = plans.plan(message.schema());
      try (JsonParser in = message.open()) {
        in.nextToken();
        rows.readKeyOfRow(in, plan, rowKey);
      }
      deleted = rowKey;
      String missing = deleted.missing();
      if (missing != null) {
        throw new Problem(
            "a delete: expected the key columns, found none named "
                + missing
                + ". Set REPLICA IDENTITY FULL on the source table");
      }
      keys.requirePlaced(record, rowKey);
      invented.refuse(record, event.source, message, plan, rowKey);
    }
    return delete(record, message, deleted);
  }

  /** A record without value: a delete, or the tombstone after one that was rewritten. */
  private DecodeResult withoutRow(RawRecord record) throws Problem, IOException {
    event.readHeaders(record.headers());
    if (isRewrite()) {
      return tombstone(record);
    }
    DocumentTable.refuseFlattened(event.source.connector());
    KeyValues deleted;
    try {
      deleted = keys.read(record);
    } catch (Problem problem) {
      throw settings.keyColumns().isEmpty()
          ? problem
          : new Problem(
              problem.text()
                  + ". A delete without its row has no other key: set"
                  + " delete.tombstone.handling.mode=rewrite");
    }
    return delete(record, new JsonFormat().values().read(NULL, Map.of()), deleted);
  }

  /**
   * The tombstone after a rewritten delete, if it is none of another mode's deletes. Debezium
   * passes its own tombstone on, which has neither value nor schema, so that no converter makes
   * JSON of it, and no envelope to take headers from: the transform adds only that of op.
   */
  private DecodeResult tombstone(RawRecord record) throws Problem {
    boolean rewrite = deletes == DeleteHandling.REWRITE;
    if (!rewrite && record.value() == null && event.sawNothingBut("op")) {
      return new Ignored(Reason.TOMBSTONE);
    }
    throw new Problem(
        "found a record without a row"
            + (rewrite || record.value() != null ? "" : " and with a change's headers")
            + ", which delete.tombstone.handling.mode="
            + deletes
            + " does not write. With tombstone (the transform's default) and delete-to-tombstone it is"
            + " a delete, "
            + (rewrite
                ? "with rewrite-with-tombstone it says nothing"
                : "which would be passed over")
            + ". Set kafka.unwrap.delete.tombstone.handling.mode to what the transform has; where that"
            + " was changed on the way, tombstone reads all of them");
  }

  private DecodeResult delete(RawRecord record, Message message, KeyValues deleted) throws Problem {
    writer.start();
    deleted.copyTo(writer);
    return decoded(record, Kind.DELETE, SnapshotFlag.NONE, message, deleted, null);
  }

  /** As in the envelope, but that what says so may not have been added. */
  private SnapshotFlag snapshot() throws Problem {
    SnapshotFlag flag = event.source.snapshot();
    String op = event.op();
    if (settings.version() instanceof VersionScheme.Auto) {
      if (op == null) {
        throw new Problem("op is missing, which tells a snapshot's rows from others" + add());
      }
      if (op.equals("r") && !event.saw("source.snapshot")) {
        throw new Problem(
            "source.snapshot is missing, which tells the kind of a snapshot's rows" + add());
      }
    }
    return flag.under(op);
  }

  private Decoded decoded(
      RawRecord record,
      Kind kind,
      SnapshotFlag snapshot,
      Message message,
      KeyValues key,
      @Nullable Unsent unsent)
      throws Problem {
    EventFacts facts = new EventFacts(event.source, event.transaction, kind, snapshot, message);
    SourcePosition position;
    try {
      position = versions.read(facts);
    } catch (Problem problem) {
      throw new Problem(problem.text() + remedy(kind));
    }
    if (position.isOfLog() && event.source.timeMicros().isEmpty()) {
      // Any other time is new in a copy, which would look like positions that started over.
      throw new Problem(
          "source.ts_ms is missing, which tells a copy from positions that started over"
              + add()
              + (kind == Kind.DELETE ? ADD_TO_DELETES : ""));
    }
    return new Decoded(
        key.key(), kind, position, sourceTimeMicros(record), writer.finish(), unsent);
  }

  /** What brings a version that is not there. A column of the row is not the transform's to add. */
  private String remedy(Kind kind) {
    if (settings.version() instanceof VersionScheme.Field field
        && !event.isAdded(field.path().get(0))) {
      return event.sawColumn() ? "" : NO_COLUMNS;
    }
    return add() + (kind == Kind.DELETE ? ADD_TO_DELETES : "");
  }

  private String add() {
    return ". ExtractNewRecordState writes a change's position only where it is told to: set add.fields"
        + " to op,source.connector,source.snapshot,source.ts_ms"
        + positionOf(event.source.connector())
        + ", or use version: kafka-offset";
  }

  /** What a connector's positions need, and what refines them. */
  private static String positionOf(@Nullable String connector) {
    return switch (connector == null ? "" : connector) {
      case "postgresql" -> ",source.lsn,source.sequence,source.txId";
      case "mysql", "mariadb" -> ",source.file,source.pos,transaction.total_order";
      case "sqlserver" -> ",source.commit_lsn,source.change_lsn,source.event_serial_no";
      case "oracle" -> ",source.scn,source.commit_scn,source.txSeq,source.ssn";
      case "db2", "informix" -> ",source.commit_lsn,source.change_lsn";
      case "vitess" ->
          ",transaction.transaction_epoch,transaction.transaction_rank,transaction.total_order";
      default ->
          " and the connector's position (of PostgreSQL source.lsn,source.sequence,source.txId)";
    };
  }

  private long sourceTimeMicros(RawRecord record) {
    return event
        .source
        .timeMicros()
        .orElseGet(
            () -> SourceBlock.millisToMicros(event.tsMillis().orElse(record.timestampMillis())));
  }
}
