package io.tidemark.debezium.version;

import io.tidemark.change.Position;
import io.tidemark.change.SourcePosition;
import io.tidemark.debezium.json.Problem;

/**
 * MySQL and MariaDB: (number of the binlog file, position in it, order in the transaction).
 *
 * <p>The file's number is the digits after the last dot, compared as a number: after {@code
 * .999999} comes {@code .1000000}. A GTID says which server wrote a transaction and says nothing of
 * rows, so it is not read: within one server's binlog the position orders all, and another server's
 * binlog is a start of its own.
 *
 * <p>Rows of one binlog event share the position. So do all events of a transaction where the
 * server compresses it, or writes no positions inside of it, as MariaDB does since 11.4 (its {@code
 * binlog_legacy_event_pos}). {@code source.row} is not read: it is counted anew in each event, so
 * that a later change of a key may have the lower one. {@code total_order} tells them apart where
 * the connector writes it; else they tie, and their Kafka offsets decide.
 */
final class BinlogVersion implements VersionReader {
  private static final String REMEDY =
      ". Debezium's MySQL and MariaDB connectors write source.file and source.pos: leave them in if"
          + " a transform drops them, or use version: field:<path> or version: kafka-offset";

  @Override
  public SourcePosition read(EventFacts event) throws Problem {
    SourceBlock source = event.source();
    String file = source.text(SourceBlock.Field.FILE);
    if (file == null) {
      throw new Problem("source.file is missing" + REMEDY);
    }
    long number = number(file);
    long pos = Numbers.required(source, SourceBlock.Field.POS, "source.pos", REMEDY);
    if (event.snapshotRow()) {
      return new SourcePosition.Snapshot(new Position(number, pos, 0));
    }
    Position position = new Position(number, pos, event.transaction().totalOrder());
    return event.incremental()
        ? new SourcePosition.Incremental(position)
        : new SourcePosition.Stream(position);
  }

  private static long number(String file) throws Problem {
    int dot = file.lastIndexOf('.');
    String digits = file.substring(dot + 1);
    boolean numbered = dot >= 0 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    if (!numbered || digits.isEmpty() || digits.length() > 18) {
      throw new Problem(
          "source.file: expected a binlog file such as binlog.000042, found a name of another form");
    }
    return Long.parseLong(digits);
  }
}
