package io.tidemark.debezium.version;

import io.tidemark.change.Position;
import io.tidemark.change.SourcePosition;
import io.tidemark.debezium.json.Problem;
import org.jspecify.annotations.Nullable;

/**
 * Db2: (commit LSN, change LSN), both of 128 bits.
 *
 * <p>Each is two numbers of 64 bits; 48 of each fit into a position, in their order. One that needs
 * more is refused, not cut. There is no serial number: events of one change tie, and their Kafka
 * offsets decide.
 */
final class Db2Version implements VersionReader {
  private static final String OTHERWISE = ", or use version: field:<path> or version: kafka-offset";
  private static final String REMEDY =
      ". Debezium's Db2 connector writes source.commit_lsn and source.change_lsn: leave them in if a"
          + " transform drops them"
          + OTHERWISE;

  private static final int[] LSN_DIGITS = {8, 8, 16};
  private static final String LSN_FORM = "an LSN such as 00000000:00004ac0:0000000000068df0";
  private static final long LIMIT = 1L << 48;

  @Override
  public SourcePosition read(EventFacts event) throws Problem {
    SourceBlock source = event.source();
    long[] commit = lsn(source, SourceBlock.Field.COMMIT_LSN, "source.commit_lsn");
    if (commit == null) {
      throw new Problem("source.commit_lsn is missing" + REMEDY);
    }
    if (event.snapshotRow()) {
      return new SourcePosition.Snapshot(position(commit, new long[2]));
    }
    long[] change = lsn(source, SourceBlock.Field.CHANGE_LSN, "source.change_lsn");
    // An incremental snapshot that starts before the first change has none yet.
    if (change == null && !event.incremental()) {
      throw new Problem("source.change_lsn is missing" + REMEDY);
    }
    Position position = position(commit, change == null ? new long[2] : change);
    return event.incremental()
        ? new SourcePosition.Incremental(position)
        : new SourcePosition.Stream(position);
  }

  private static Position position(long[] commit, long[] change) {
    return new Position(
        commit[0] << 16 | commit[1] >>> 32,
        commit[1] << 32 | change[0] >>> 16,
        change[0] << 48 | change[1]);
  }

  private static long @Nullable [] lsn(SourceBlock source, SourceBlock.Field field, String name)
      throws Problem {
    String text = source.text(field);
    if (text == null) {
      return null;
    }
    long[] groups = Numbers.hex(name, text, LSN_DIGITS, LSN_FORM);
    long[] halves = {groups[0] << 32 | groups[1], groups[2]};
    for (long half : halves) {
      if (Long.compareUnsigned(half, LIMIT) >= 0) {
        throw new Problem(
            name + ": expected an LSN whose halves are below 2^48, found a larger one" + OTHERWISE);
      }
    }
    return halves;
  }
}
