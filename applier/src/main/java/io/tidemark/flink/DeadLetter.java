package io.tidemark.flink;

import io.tidemark.change.SourceOffset;
import io.tidemark.debezium.RawRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A record that could not be decoded, as it was, with the reason.
 *
 * @param problem what was found and what was expected
 * @param ranks as {@link LetterHeaders#RANKS} has it; null if the record was read before
 */
public record DeadLetter(RawRecord record, String problem, @Nullable String ranks) {

  /**
   * Logs that one was written, seldom where there are many: the topic itself has them all.
   *
   * @param count how many by now, with this one
   */
  static void log(Logger log, SourceOffset at, String problem, long count) {
    if (Long.bitCount(count) == 1) {
      log.warn("Put a record at {} aside, {} by now: {}", at, count, problem);
    }
  }
}
