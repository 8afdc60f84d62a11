package io.tidemark.oracle;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Records that a job put aside, and what stands for each: the newest correction that somebody wrote
 * beside it, or the record as it was.
 */
public final class PutAside {

  private static final String PREFIX = "tidemark.";

  private final Map<String, String> topicIds;
  private long ofFormer;
  private final Map<Place, Standing> records =
      new TreeMap<>(
          Comparator.comparing(Place::topic)
              .thenComparing(Place::partition)
              .thenComparing(Place::offset));

  private static final class Standing {
    private @Nullable ConsumerRecord<byte[], byte[]> original;
    private boolean originalsDiffer;
    private final Map<Integer, ConsumerRecord<byte[], byte[]>> corrections = new TreeMap<>();
    private boolean unranked;

    /** Null if nothing stands, or if it cannot be told what does. */
    private @Nullable ConsumerRecord<byte[], byte[]> letter() {
      if (corrections.isEmpty()) {
        return originalsDiffer ? null : original;
      }
      long latest =
          corrections.values().stream().mapToLong(ConsumerRecord::timestamp).max().orElseThrow();
      List<ConsumerRecord<byte[], byte[]>> newest =
          corrections.values().stream().filter(each -> each.timestamp() == latest).toList();
      return newest.stream().allMatch(each -> saySame(each, newest.get(0))) ? newest.get(0) : null;
    }
  }

  /**
   * Nothing yet.
   *
   * @param topicIds Kafka's own ids of the topics now, as far as they are known
   */
  public PutAside(Map<String, String> topicIds) {
    this.topicIds = Map.copyOf(topicIds);
  }

  /**
   * Takes a letter; those of a partition in their order. What is no letter, since its headers do
   * not say where the record was, is passed over, and what lay in a topic that was deleted: its
   * offsets mean nothing in the one that has its name.
   */
  public void add(ConsumerRecord<byte[], byte[]> letter) {
    Place place = place(letter.headers());
    if (place == null) {
      return;
    }
    String id = text(letter.headers(), "topic-id");
    if (id != null && !id.equals(topicIds.getOrDefault(place.topic(), id))) {
      ofFormer++;
      return;
    }
    Standing standing = records.computeIfAbsent(place, unseen -> new Standing());
    String ranks = text(letter.headers(), "ranks");
    standing.unranked |= ranks != null && ranks.startsWith("{");
    boolean ofJob = letter.headers().lastHeader(PREFIX + "problem") != null && !isDrop(letter);
    if (!ofJob) {
      standing.corrections.put(letter.partition(), letter);
    } else if (standing.original == null) {
      standing.original = letter;
    } else {
      standing.originalsDiffer |= !saySame(standing.original, letter);
    }
  }

  private static boolean saySame(
      ConsumerRecord<byte[], byte[]> one, ConsumerRecord<byte[], byte[]> other) {
    if (isDrop(one) || isDrop(other)) {
      return isDrop(one) == isDrop(other);
    }
    return Arrays.equals(one.key(), other.key())
        && Arrays.equals(one.value(), other.value())
        && ownHeaders(one).equals(ownHeaders(other));
  }

  /** By name the last, as they are read. */
  private static Map<String, Optional<ByteBuffer>> ownHeaders(
      ConsumerRecord<byte[], byte[]> letter) {
    Map<String, Optional<ByteBuffer>> own = new TreeMap<>();
    for (Header header : letter.headers()) {
      if (!header.key().startsWith(PREFIX)) {
        own.put(header.key(), Optional.ofNullable(header.value()).map(ByteBuffer::wrap));
      }
    }
    return own;
  }

  private static boolean isDrop(ConsumerRecord<byte[], byte[]> letter) {
    return letter.headers().lastHeader(PREFIX + "drop") != null;
  }

  /** Forgets those that a table lacks for good, with their letters. */
  public void leaveOut(Gaps gaps) {
    records.keySet().removeIf(gaps::has);
  }

  /** The places of the records, by topic, partition and offset. */
  public Collection<Place> places() {
    return records.keySet();
  }

  /** How many letters are of a topic that was deleted. */
  public long ofFormer() {
    return ofFormer;
  }

  /** Whether nothing was put aside. */
  public boolean isEmpty() {
    return records.isEmpty();
  }

  /** Whether the record at a place was put aside. */
  public boolean has(Place place) {
    return records.containsKey(place);
  }

  /** Whether the job knew the position of the record that it put aside, and counted with it. */
  public boolean wasRanked(Place place) {
    Standing standing = records.get(place);
    return standing != null && !standing.unranked;
  }

  /** What stands for the record at a place, as if it lay there; null if nothing does. */
  public @Nullable ConsumerRecord<byte[], byte[]> standing(Place place) {
    Standing standing = records.get(place);
    ConsumerRecord<byte[], byte[]> letter = standing == null ? null : standing.letter();
    return letter == null || isDrop(letter) ? null : at(place, letter);
  }

  private static ConsumerRecord<byte[], byte[]> at(
      Place place, ConsumerRecord<byte[], byte[]> letter) {
    String timestamp = text(letter.headers(), "timestamp");
    RecordHeaders headers = new RecordHeaders();
    for (Header header : letter.headers()) {
      if (!header.key().startsWith(PREFIX)) {
        headers.add(header);
      }
    }
    return new ConsumerRecord<>(
        place.topic(),
        place.partition(),
        place.offset(),
        timestamp == null ? letter.timestamp() : Long.parseLong(timestamp),
        letter.timestampType(),
        letter.serializedKeySize(),
        letter.serializedValueSize(),
        letter.key(),
        letter.value(),
        headers,
        Optional.empty());
  }

  /** Where the record was; null if a header is missing or none that a job writes. */
  private static @Nullable Place place(Headers headers) {
    String topic = text(headers, "topic");
    String partition = text(headers, "partition");
    String offset = text(headers, "offset");
    if (topic == null || partition == null || offset == null) {
      return null;
    }
    try {
      String timestamp = text(headers, "timestamp");
      boolean usable = timestamp == null || Long.parseLong(timestamp) >= -1; // Kafka's for none
      Place place = new Place(topic, Integer.parseInt(partition), Long.parseLong(offset));
      return usable && place.partition() >= 0 && place.offset() >= 0 ? place : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static @Nullable String text(Headers headers, String name) {
    Header header = headers.lastHeader(PREFIX + name);
    return header == null || header.value() == null
        ? null
        : new String(header.value(), StandardCharsets.UTF_8);
  }
}
