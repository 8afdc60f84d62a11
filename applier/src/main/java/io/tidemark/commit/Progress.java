package io.tidemark.commit;

import static java.util.Objects.requireNonNull;

import io.tidemark.change.Epoch;
import io.tidemark.change.PartitionProgress;
import io.tidemark.change.Position;
import io.tidemark.change.TopicPartition;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How far the source was read, and all that must be remembered to read it the same way again.
 *
 * @param topicIds by name of the topic Kafka's own id of it, which a topic that is deleted and
 *     created anew does not keep; without those that are not known
 * @param gaps offsets below {@code partitions} that were left out, ever
 * @param lastRecords the last record that was read, by partition: none lies between it and the next
 *     offset, but in gaps. Without partitions of which none was read, or where it is not known
 */
public record Progress(
    Map<TopicPartition, PartitionProgress> partitions,
    Map<String, String> topicIds,
    Set<Gap> gaps,
    Map<TopicPartition, LastRecord> lastRecords) {

  /** Nothing was read of anything. */
  public static final Progress NONE = new Progress(Map.of());

  public Progress {
    partitions = Map.copyOf(partitions);
    topicIds = Map.copyOf(topicIds);
    gaps = Set.copyOf(gaps);
    lastRecords = Map.copyOf(lastRecords);
  }

  /** Progress without last records. */
  public Progress(
      Map<TopicPartition, PartitionProgress> partitions,
      Map<String, String> topicIds,
      Set<Gap> gaps) {
    this(partitions, topicIds, gaps, Map.of());
  }

  /** Progress without gaps in topics whose ids are not known. */
  public Progress(Map<TopicPartition, PartitionProgress> partitions) {
    this(partitions, Map.of(), Set.of());
  }

  /** The same with other last records. */
  public Progress withLastRecords(Map<TopicPartition, LastRecord> records) {
    return new Progress(partitions, topicIds, gaps, records);
  }

  /** The highest number of an epoch in any partition; 0 if nothing was read. */
  public int newestEpoch() {
    return partitions.values().stream().mapToInt(p -> p.last().number()).max().orElse(0);
  }

  /**
   * What a partition must have come above before it can rank what has no position to compare. Where
   * partitions were added since its newest epoch began, its keys may have come from any other one.
   * What those held then is below what is streamed into the added ones; as long as nothing was, it
   * is taken to be all that they hold now.
   *
   * @param partition one that is known here
   * @param more whether the topic has partitions that are not known here
   * @return null if none was added
   */
  public @Nullable Position formerPlaces(TopicPartition partition, boolean more) {
    int epoch = requireNonNull(partitions.get(partition)).last().number();
    boolean added = more;
    boolean streamed = !more;
    Position highest = Position.ZERO;
    Position above = Position.ZERO;
    for (Map.Entry<TopicPartition, PartitionProgress> each : partitions.entrySet()) {
      Epoch last = each.getValue().last();
      if (last.number() == epoch) {
        highest = last.highWater().isAfter(highest) ? last.highWater() : highest;
        if (last.cameLate() && !each.getKey().equals(partition)) {
          Position since = last.aboveFormerPlaces();
          added = true;
          streamed &= !since.equals(Position.ZERO);
          above = since.isAfter(above) ? since : above;
        }
      }
    }
    return !added ? null : streamed ? above : highest;
  }

  /**
   * What both know together; never less than either. Of a topic that has two ids only what is known
   * of the later one counts: its epochs are higher, and offsets of the other mean nothing in it. Of
   * two last records at one offset this one's stays.
   */
  public Progress merge(Progress other) {
    Progress mine = this;
    Progress others = other;
    for (Map.Entry<String, String> id : topicIds.entrySet()) {
      String topic = id.getKey();
      if (!id.getValue().equals(other.topicIds.getOrDefault(topic, id.getValue()))) {
        if (of(topic).newestEpoch() < other.of(topic).newestEpoch()) {
          mine = mine.without(topic);
        } else {
          others = others.without(topic);
        }
      }
    }
    return mine.plus(others);
  }

  /**
   * What is known once a reader has read more. Of two last records at one offset the reader's
   * stays: it is of the log that there is now. A reader below what counts as read already, in a
   * partition whose last record is not known, has not read it either.
   *
   * @param more what a reader has read itself: its last record is right below its next offset
   */
  public Progress andRead(Progress more) {
    Map<TopicPartition, LastRecord> last = new TreeMap<>(lastRecords);
    more.lastRecords.forEach(
        (tp, record) -> {
          PartitionProgress known = partitions.get(tp);
          if (last.containsKey(tp) || known == null || record.offset() + 1 >= known.nextOffset()) {
            last.merge(tp, record, (before, now) -> now.orLater(before));
          }
        });
    return merge(more).withLastRecords(last);
  }

  private Progress plus(Progress other) {
    Map<TopicPartition, PartitionProgress> merged = new TreeMap<>(partitions);
    other.partitions.forEach(
        (tp, progress) -> merged.merge(tp, progress, PartitionProgress::merge));
    Map<String, String> ids = new TreeMap<>(other.topicIds);
    ids.putAll(topicIds);
    Set<Gap> all = new TreeSet<>(gaps);
    all.addAll(other.gaps);
    Map<TopicPartition, LastRecord> last = new TreeMap<>(lastRecords);
    other.lastRecords.forEach((tp, record) -> last.merge(tp, record, LastRecord::orLater));
    return new Progress(merged, ids, all, last);
  }

  /**
   * The same where in each of these partitions all below an offset counts as read, as it does where
   * no record lies in between.
   *
   * @param offsets of partitions that are known here
   */
  public Progress skippingTo(Map<TopicPartition, Long> offsets) {
    Map<TopicPartition, PartitionProgress> further = new TreeMap<>(partitions);
    offsets.forEach(
        (tp, offset) ->
            further.compute(tp, (same, known) -> requireNonNull(known).skippingTo(offset)));
    return new Progress(further, topicIds, gaps, lastRecords);
  }

  /**
   * Whether this may follow a record: no partition went back in offset or epoch. A topic that was
   * created anew has offsets of its own, but all of it must be above every epoch of the old one.
   *
   * @return a partition of which less is known here; null if there is none
   */
  public @Nullable TopicPartition wentBackFrom(Progress before) {
    for (Map.Entry<TopicPartition, PartitionProgress> entry :
        new TreeMap<>(before.partitions).entrySet()) {
      TopicPartition tp = entry.getKey();
      PartitionProgress old = entry.getValue();
      PartitionProgress now = partitions.get(tp);
      if (isAnewIn(tp.topic(), before)) {
        int newest = before.of(tp.topic()).newestEpoch();
        if (of(tp.topic()).partitions.values().stream()
            .anyMatch(p -> p.epochs().get(0).number() <= newest)) {
          return tp;
        }
      } else if (now == null
          || now.nextOffset() < old.nextOffset()
          || now.last().number() < old.last().number()) {
        return tp;
      }
    }
    return null;
  }

  /** Whether a topic has another id here. */
  boolean isAnewIn(String topic, Progress before) {
    String id = topicIds.get(topic);
    return id != null && !id.equals(before.topicIds.getOrDefault(topic, id));
  }

  /** What is known of one topic. */
  private Progress of(String topic) {
    Map<TopicPartition, PartitionProgress> kept = new TreeMap<>(partitions);
    kept.keySet().removeIf(tp -> !tp.topic().equals(topic));
    return new Progress(kept);
  }

  /** All but what is known of one topic. */
  Progress without(String topic) {
    Map<TopicPartition, PartitionProgress> kept = new TreeMap<>(partitions);
    kept.keySet().removeIf(tp -> tp.topic().equals(topic));
    Map<String, String> ids = new TreeMap<>(topicIds);
    ids.remove(topic);
    Set<Gap> left = new TreeSet<>(gaps);
    left.removeIf(gap -> gap.partition().topic().equals(topic));
    Map<TopicPartition, LastRecord> last = new TreeMap<>(lastRecords);
    last.keySet().removeIf(tp -> tp.topic().equals(topic));
    return new Progress(kept, ids, left, last);
  }
}
