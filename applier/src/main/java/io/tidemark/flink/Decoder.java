package io.tidemark.flink;

import io.tidemark.debezium.DecodeResult;
import io.tidemark.debezium.RawRecord;
import java.io.Serializable;

/** Turns records into outcomes; never throws on bad input. */
@FunctionalInterface
public interface Decoder {

  /** What becomes of the record. */
  DecodeResult decode(RawRecord record);

  /** Makes the decoder of one subtask. */
  @FunctionalInterface
  interface Factory extends Serializable {

    /** A new decoder, used by one thread. */
    Decoder open();
  }
}
