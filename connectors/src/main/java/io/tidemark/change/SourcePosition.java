package io.tidemark.change;

import org.jspecify.annotations.Nullable;

/** What a record says about its place in the source, before its partition's history ranks it. */
public sealed interface SourcePosition {

  /** The numbers that the record carries. */
  Position position();

  /**
   * Whether it tells where the source's log stands. What does not is taken as it is, in any order,
   * and needs nothing that its partition held before.
   */
  default boolean isOfLog() {
    return true;
  }

  /** A change from the source's log: comparable as it is. */
  record Stream(Position position) implements SourcePosition {}

  /**
   * A row of an incremental snapshot: comparable with the stream, at a place that is below all that
   * is streamed later. It may lie below what was streamed before, whose change of the same key the
   * row contains; and its time is the connector's clock, not a commit's.
   */
  record Incremental(Position position) implements SourcePosition {}

  /**
   * A row of a non-incremental snapshot. Its position names the snapshot and compares with nothing:
   * a transaction that was open at the snapshot is streamed later with a lower one.
   */
  record Snapshot(Position position) implements SourcePosition {}

  /**
   * A change of the first transaction that a connector streams after a snapshot. What committed
   * before it is not known. If it was open for long, its own position lies below much that was
   * streamed before the snapshot, and below the snapshot's rank; yet it comes after both.
   *
   * @param position the change's own, which is its place wherever it is above all that was read
   * @param transaction the source's number of the transaction; null if it is not said
   */
  record Opening(Position position, @Nullable Long transaction) implements SourcePosition {
    /**
     * Under which its place is kept among the ranks of snapshots; null if its transaction is not
     * known. No snapshot has such a name: its {@code p1} is 0.
     */
    public @Nullable Position name() {
      return transaction == null ? null : new Position(0, transaction, 1);
    }
  }

  /** A version that the user's own events carry, or one of several logs that share a topic. */
  record Given(Position position) implements SourcePosition {
    @Override
    public boolean isOfLog() {
      return false;
    }
  }

  /**
   * No numbers: the Kafka offset alone decides, so that it compares within a partition and nowhere
   * else.
   */
  record ByOffset() implements SourcePosition {
    @Override
    public Position position() {
      return Position.ZERO;
    }

    @Override
    public boolean isOfLog() {
      return false;
    }
  }
}
