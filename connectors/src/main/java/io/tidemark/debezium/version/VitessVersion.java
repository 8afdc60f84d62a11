package io.tidemark.debezium.version;

import io.tidemark.change.Position;
import io.tidemark.change.SourcePosition;
import io.tidemark.debezium.json.Problem;

/**
 * Vitess: (epoch, rank of the transaction, order in it), which the connector writes with its
 * ordered transaction metadata. A VGTID does not compare. The connector itself raises the epoch
 * when ranks start over. Each shard counts for itself, and the shards' changes share partitions: a
 * lower position with a newer time is another shard's, so that it is no sign of a new start.
 *
 * <p>The rows of its snapshots are streamed with the changes between them and carry the rank up to
 * which they were read, so that they compare.
 */
final class VitessVersion implements VersionReader {
  private static final String REMEDY =
      " is missing. Set provide.transaction.metadata=true and transaction.metadata.factory to"
          + " Debezium's VitessOrderedTransactionMetadataFactory, or use version: field:<path> or"
          + " version: kafka-offset";

  @Override
  public SourcePosition read(EventFacts event) throws Problem {
    TransactionBlock transaction = event.transaction();
    String rank = transaction.rank();
    if (rank == null || transaction.epoch().isEmpty()) {
      String name = rank == null ? "transaction_rank" : "transaction_epoch";
      throw new Problem("transaction." + name + REMEDY);
    }
    return new SourcePosition.Given(
        new Position(
            transaction.epoch().getAsLong(),
            Numbers.unsigned("transaction.transaction_rank", rank),
            transaction.totalOrder()));
  }
}
