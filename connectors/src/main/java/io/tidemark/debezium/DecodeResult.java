package io.tidemark.debezium;

import io.tidemark.change.Kind;
import io.tidemark.change.PrimaryKey;
import io.tidemark.change.RemovedRow;
import io.tidemark.change.SourcePosition;
import io.tidemark.change.Unsent;
import io.tidemark.debezium.json.Problem;
import io.tidemark.debezium.value.Unrepresentable;
import org.jspecify.annotations.Nullable;

/** What became of a record. */
public sealed interface DecodeResult {

  /**
   * A change of one row.
   *
   * @param source the place that the record claims, still to be ranked by its partition's history
   * @param sourceTimeMicros the source's time of the change, microseconds since the epoch
   * @param row the encoded row; for a delete only the key columns are set
   * @param unsent the columns that the source left out; null if it left out none
   * @param removed the row that a delete removed; null if the source is not trusted to say it
   */
  @SuppressWarnings("ArrayRecordComponent") // passed through, never compared
  record Decoded(
      PrimaryKey key,
      Kind kind,
      SourcePosition source,
      long sourceTimeMicros,
      byte[] row,
      @Nullable Unsent unsent,
      @Nullable RemovedRow removed)
      implements DecodeResult {

    /** A change that has all its columns. */
    public Decoded(
        PrimaryKey key, Kind kind, SourcePosition source, long sourceTimeMicros, byte[] row) {
      this(key, kind, source, sourceTimeMicros, row, null, null);
    }

    /** A change that may lack columns. */
    public Decoded(
        PrimaryKey key,
        Kind kind,
        SourcePosition source,
        long sourceTimeMicros,
        byte[] row,
        @Nullable Unsent unsent) {
      this(key, kind, source, sourceTimeMicros, row, unsent, null);
    }
  }

  /** A record that changes no row by its nature. */
  record Ignored(Reason reason) implements DecodeResult {}

  /**
   * A record that cannot be decoded.
   *
   * @param problem what was found and what was expected; no row values
   * @param deadLetter whether it is a dead letter whatever becomes of other malformed records
   */
  record Malformed(String problem, boolean deadLetter) implements DecodeResult {
    /** One that the error policy decides on. */
    public Malformed(String problem) {
      this(problem, false);
    }

    /** With the problem that was met; a value that no column can hold is thrown on by choice. */
    static Malformed of(Problem problem) {
      return new Malformed(problem.text(), problem instanceof Unrepresentable);
    }
  }

  /** Why a record changes no row. */
  enum Reason {
    /** Kafka's own marker after a delete, which says nothing that the delete did not. */
    TOMBSTONE,
    /** A heartbeat. */
    HEARTBEAT,
    /** The begin or end of a transaction. */
    TRANSACTION,
    /** A logical decoding message ({@code op: m}). */
    MESSAGE,
    /** A change of the source's schema. */
    SCHEMA_CHANGE,
    /** A TRUNCATE, under {@link OnTruncate#IGNORE}. */
    TRUNCATE,
    /** An update without its document, under {@link OnMissingDocument#IGNORE}. */
    MISSING_DOCUMENT
  }
}
