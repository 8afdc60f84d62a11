package io.tidemark.job;

import io.tidemark.change.SourceOffset;
import io.tidemark.debezium.RawRecord;
import io.tidemark.flink.LetterHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One record of a dead-letter topic.
 *
 * @param lies where it is in that topic
 * @param writtenMillis its own timestamp there, milliseconds since the epoch
 * @param record the record as it would have been read at its original place
 * @param topicId Kafka's id of the topic that the record was read from; null if the letter does not
 *     say it
 * @param ranks {@link LetterHeaders#RANKS}; null if it has none
 * @param byJob whether the job wrote it; else somebody did, to correct the record
 * @param drop whether the record is to be left out for good
 */
record Letter(
    SourceOffset lies,
    long writtenMillis,
    RawRecord record,
    @Nullable String topicId,
    @Nullable String ranks,
    boolean byJob,
    boolean drop) {

  private static final long NO_TIMESTAMP = -1; // Kafka's, of records that were written without

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if it does not say where the record was; without contents
   */
  static Letter of(RawRecord found) {
    Map<String, byte[]> headers = new HashMap<>(found.headers());
    headers.keySet().removeIf(name -> name.startsWith(LetterHeaders.PREFIX));
    String timestamp = text(found, LetterHeaders.TIMESTAMP);
    RawRecord record =
        new RawRecord(
            new SourceOffset(
                required(found, LetterHeaders.TOPIC),
                (int) number(found, LetterHeaders.PARTITION, 0, Integer.MAX_VALUE),
                number(found, LetterHeaders.OFFSET, 0, Long.MAX_VALUE - 1)),
            timestamp == null
                ? found.timestampMillis()
                : number(found, LetterHeaders.TIMESTAMP, NO_TIMESTAMP, Long.MAX_VALUE),
            found.key(),
            found.value(),
            headers);
    return new Letter(
        found.at(),
        found.timestampMillis(),
        record,
        text(found, LetterHeaders.TOPIC_ID),
        text(found, LetterHeaders.RANKS),
        found.headers().containsKey(LetterHeaders.PROBLEM)
            && !found.headers().containsKey(LetterHeaders.DROP), // the job leaves nothing out
        found.headers().containsKey(LetterHeaders.DROP));
  }

  /** Whether it would be read as the same. */
  boolean saysTheSame(Letter other) {
    return drop == other.drop
        && (drop
            || (Arrays.equals(record.key(), other.record.key())
                && Arrays.equals(record.value(), other.record.value())
                && sameHeaders(record.headers(), other.record.headers())));
  }

  private static boolean sameHeaders(Map<String, byte[]> one, Map<String, byte[]> other) {
    return one.keySet().equals(other.keySet())
        && one.keySet().stream().allMatch(name -> Arrays.equals(one.get(name), other.get(name)));
  }

  private static long number(RawRecord found, String header, long lowest, long highest) {
    String text = required(found, header);
    try {
      long number = Long.parseLong(text);
      if (number >= lowest && number <= highest) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new IllegalArgumentException(
        "header " + header + " is \"" + text + "\", expected a number from " + lowest + " on");
  }

  private static String required(RawRecord found, String header) {
    String text = text(found, header);
    if (text == null || text.isEmpty()) {
      throw new IllegalArgumentException(
          "header "
              + header
              + " is missing: a letter says where its record was read, in "
              + String.join(
                  ", ", LetterHeaders.TOPIC, LetterHeaders.PARTITION, LetterHeaders.OFFSET));
    }
    return text;
  }

  private static @Nullable String text(RawRecord found, String header) {
    byte[] value = found.headers().get(header);
    return value == null ? null : new String(value, StandardCharsets.UTF_8);
  }
}
