package io.tidemark.debezium.version;

import io.tidemark.change.Position;
import io.tidemark.change.SourcePosition;
import io.tidemark.debezium.json.Problem;
import java.util.OptionalLong;

/**
 * Informix: (commit LSN, change LSN), which it writes as decimal texts. There is no serial number:
 * events of one change tie, and their Kafka offsets decide.
 */
final class InformixVersion implements VersionReader {
  private static final String REMEDY =
      ". Debezium's Informix connector writes source.commit_lsn and source.change_lsn: leave them in"
          + " if a transform drops them, or use version: field:<path> or version: kafka-offset";

  @Override
  public SourcePosition read(EventFacts event) throws Problem {
    SourceBlock source = event.source();
    OptionalLong commit =
        Numbers.unsigned(source, SourceBlock.Field.COMMIT_LSN, "source.commit_lsn");
    if (commit.isEmpty()) {
      throw new Problem("source.commit_lsn is missing" + REMEDY);
    }
    if (event.snapshotRow()) {
      return new SourcePosition.Snapshot(new Position(commit.getAsLong(), 0, 0));
    }
    OptionalLong change =
        Numbers.unsigned(source, SourceBlock.Field.CHANGE_LSN, "source.change_lsn");
    // An incremental snapshot that starts before the first change has none yet.
    if (change.isEmpty() && !event.incremental()) {
      throw new Problem("source.change_lsn is missing" + REMEDY);
    }
    Position position = new Position(commit.getAsLong(), change.orElse(0), 0);
    return event.incremental()
        ? new SourcePosition.Incremental(position)
        : new SourcePosition.Stream(position);
  }
}
