package io.tidemark.debezium.version;

import io.tidemark.change.Position;
import io.tidemark.change.SourcePosition;
import io.tidemark.debezium.json.Problem;
import java.util.OptionalLong;

/**
 * Oracle by LogMiner: (commit SCN, place in the transaction, SQL sequence number).
 *
 * <p>SCNs are decimal texts, and the change's own SCN is not ordered by commits. One that needs
 * more than 64 bits is refused. The place is {@code txSeq}, or where the connector is older than
 * 3.2 the change's SCN. In a cluster the SCN is one clock for all redo threads: a transaction that
 * changes a row has waited for the commit of the one before, and so has a higher commit SCN.
 */
final class OracleVersion implements VersionReader {
  private static final String OTHERWISE = "use version: field:<path> or version: kafka-offset";
  private static final String REMEDY =
      ". Debezium's Oracle connector writes it with LogMiner: leave it in if a transform drops it."
          + " With XStream or OpenLogReplicator "
          + OTHERWISE;

  @Override
  public SourcePosition read(EventFacts event) throws Problem {
    SourceBlock source = event.source();
    OptionalLong scn = Numbers.unsigned(source, SourceBlock.Field.SCN, "source.scn");
    if (event.snapshotRow()) {
      return new SourcePosition.Snapshot(new Position(required(scn, "source.scn"), 0, 0));
    }
    OptionalLong commit =
        Numbers.unsigned(source, SourceBlock.Field.COMMIT_SCN, "source.commit_scn");
    OptionalLong sequence = source.number(SourceBlock.Field.TX_SEQ);
    if (sequence.isPresent()) {
      Numbers.nonNegative("source.txSeq", sequence.getAsLong());
    }
    if (event.incremental()) {
      // Its own SCN in second place would stand above what the transaction still brings.
      long known = commit.isPresent() ? commit.getAsLong() : required(scn, "source.scn");
      return new SourcePosition.Incremental(new Position(known, sequence.orElse(0), 0));
    }
    return new SourcePosition.Stream(
        new Position(
            required(commit, "source.commit_scn"),
            sequence.isPresent() ? sequence.getAsLong() : required(scn, "source.scn"),
            Numbers.optional(source, SourceBlock.Field.SSN, "source.ssn")));
  }

  private static long required(OptionalLong scn, String name) throws Problem {
    if (scn.isEmpty()) {
      throw new Problem(name + " is missing" + REMEDY);
    }
    return scn.getAsLong();
  }
}
