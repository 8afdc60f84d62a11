package io.tidemark.debezium.version;

import io.tidemark.change.Position;
import io.tidemark.change.SourcePosition;
import io.tidemark.debezium.json.Problem;
import org.jspecify.annotations.Nullable;

/**
 * SQL Server: (commit LSN, change LSN, serial number of the event).
 *
 * <p>An LSN has 80 bits. Two of them and a serial number of 32 bits fill the three numbers of a
 * position exactly, most significant bits first, so that its order is theirs and no bit is left
 * out.
 */
final class SqlServerVersion implements VersionReader {
  private static final String REMEDY =
      ". Debezium's SQL Server connector writes source.commit_lsn, source.change_lsn and"
          + " source.event_serial_no: leave them in if a transform drops them, or use version:"
          + " field:<path> or version: kafka-offset";

  private static final int[] LSN_DIGITS = {8, 8, 4};
  private static final String LSN_FORM = "an LSN such as 00000027:00000ac0:0002";

  /** Of an LSN: the upper 64 bits, then the lower 16. */
  private record Lsn(long high, long low) {
    static final Lsn ZERO = new Lsn(0, 0);
  }

  @Override
  public SourcePosition read(EventFacts event) throws Problem {
    SourceBlock source = event.source();
    Lsn commit = lsn(source, SourceBlock.Field.COMMIT_LSN, "source.commit_lsn");
    if (commit == null) {
      throw new Problem("source.commit_lsn is missing" + REMEDY);
    }
    if (event.snapshotRow()) {
      return new SourcePosition.Snapshot(position(commit, Lsn.ZERO, 0));
    }
    Lsn change = lsn(source, SourceBlock.Field.CHANGE_LSN, "source.change_lsn");
    // An incremental snapshot that starts before the first change has none yet.
    if (change == null && !event.incremental()) {
      throw new Problem("source.change_lsn is missing" + REMEDY);
    }
    long serial =
        Numbers.optional(source, SourceBlock.Field.EVENT_SERIAL_NO, "source.event_serial_no");
    if (serial >= 1L << 32) {
      throw new Problem("source.event_serial_no: expected a number below 2^32, found a larger one");
    }
    Position position = position(commit, change == null ? Lsn.ZERO : change, serial);
    return event.incremental()
        ? new SourcePosition.Incremental(position)
        : new SourcePosition.Stream(position);
  }

  private static Position position(Lsn commit, Lsn change, long serial) {
    return new Position(
        commit.high,
        commit.low << 48 | change.high >>> 16,
        (change.high << 48) | change.low << 32 | serial);
  }

  private static @Nullable Lsn lsn(SourceBlock source, SourceBlock.Field field, String name)
      throws Problem {
    String text = source.text(field);
    if (text == null) {
      return null;
    }
    long[] groups = Numbers.hex(name, text, LSN_DIGITS, LSN_FORM);
    return new Lsn(groups[0] << 32 | groups[1], groups[2]);
  }
}
