package io.tidemark.flink;

import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import io.tidemark.debezium.RawRecord;
import io.tidemark.merge.StoredRow;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/** Every type that crosses the dataflow or lies in its state. */
public final class Types {
  /** Records as they come from Kafka; they never leave their task. */
  public static final TypeInformation<RawRecord> RAW_RECORD =
      new ValueType<>(RawRecord.class, new RawRecordSerializer(), false);

  /** Decoded changes on their way to the gate. */
  public static final TypeInformation<Arrival> ARRIVAL =
      new ValueType<>(Arrival.class, new ArrivalSerializer(), false);

  /** The key that changes are distributed by. */
  public static final TypeInformation<PrimaryKey> PRIMARY_KEY =
      new ValueType<>(PrimaryKey.class, new PrimaryKeySerializer(), true);

  /** Files and progress on their way to the committer. */
  public static final TypeInformation<CommitInput> COMMIT_INPUT =
      new ValueType<>(CommitInput.class, new CommitInputSerializer(), false);

  /** Records that could not be decoded. */
  public static final TypeInformation<DeadLetter> DEAD_LETTER =
      new ValueType<>(DeadLetter.class, new DeadLetterSerializer(), false);

  /** Marks in keyed state. */
  static final TypeInformation<Mark> MARK =
      new ValueType<>(Mark.class, new MarkSerializer(), false);

  /** Rows in keyed state. */
  static final TypeInformation<StoredRow> STORED_ROW =
      new ValueType<>(StoredRow.class, new StoredRowSerializer(), false);

  private Types() {}
}
