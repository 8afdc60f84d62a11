package io.tidemark.debezium;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.debezium.format.Message;
import io.tidemark.debezium.format.MessageReader;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import io.tidemark.row.RowShape;
import java.io.IOException;

/** Reads the keys of a table's records. Not thread-safe. */
final class KeyReader {
  private final MessageReader messages;
  private final PlanCache plans;
  private final RowReader rows;
  private final KeyValues key;
  private final KeyPlacement placement;

  KeyReader(RowShape shape, DecoderSettings settings, RowReader rows) {
    this.messages = settings.format().keys();
    this.plans = new PlanCache(shape, settings.encodings(), null, rows.budget());
    this.rows = rows;
    this.key = new KeyValues(shape);
    this.placement = new KeyPlacement(settings);
  }

  /** What a message without a key is. */
  static Problem missing() {
    return new Problem(
        "the message has no key. Give the source table a primary key, or set the connector's"
            + " message.key.columns; where the topic has one partition, naming the columns of the key"
            + " in the route (key: [...]) is enough");
  }

  /** Checks that the record lies where all changes of the row with this key do. */
  void requirePlaced(RawRecord record, KeyValues row) throws Problem {
    placement.require(record, row);
  }

  /** Whether the message key has a column of the row's key. */
  boolean tells(RawRecord record, KeyValues row, String column) {
    return placement.tells(record, row, column);
  }

  /**
   * The record's key, complete; good until the next call.
   *
   * @throws Problem if it has none, or another than the table's
   */
  KeyValues read(RawRecord record) throws Problem {
    byte[] bytes = record.key();
    if (bytes == null) {
      throw missing();
    }
    try {
      Message message = messages.read(bytes, record.headers());
      RowPlan plan = plans.plan(message.schema());
      try (JsonParser in = message.open()) {
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
}
