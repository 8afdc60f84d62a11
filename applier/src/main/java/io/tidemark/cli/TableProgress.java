package io.tidemark.cli;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.TopicPartition;
import io.tidemark.cli.check.CatalogView;
import io.tidemark.cli.check.KafkaCluster;
import io.tidemark.cli.check.KafkaView;
import io.tidemark.cli.check.KafkaView.OffsetRange;
import io.tidemark.cli.check.OpenCatalogView;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.ForeignWriteException;
import io.tidemark.commit.UnavailableException;
import io.tidemark.config.Settings;
import io.tidemark.job.SideTopics;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compares the table's own record with the ends of the topic. Connects when first asked. */
final class TableProgress implements ProgressReporter.Source, AutoCloseable {
  private final Settings settings;
  private final Duration timeout;
  private @Nullable KafkaView kafka;
  private @Nullable CatalogView catalog;

  /**
   * Makes one.
   *
   * @param timeout how long one question may take
   */
  TableProgress(Settings settings, Duration timeout) {
    this.settings = settings;
    this.timeout = timeout;
  }

  @Override
  public ProgressReporter.Sample sample() {
    return sample(settings, kafka(), catalog());
  }

  @Override
  public @Nullable Long changedSince(@Nullable String commitId) {
    return catalog().changedSince(table(settings, topics(settings, kafka())), commitId);
  }

  private KafkaView kafka() {
    return kafka == null ? kafka = KafkaCluster.open(settings.kafka(), timeout) : kafka;
  }

  private CatalogView catalog() {
    return catalog == null ? catalog = OpenCatalogView.open(settings.catalog(), timeout) : catalog;
  }

  private static Set<String> topics(Settings settings, KafkaView kafka) {
    Set<String> matching =
        kafka.topics().stream()
            .filter(settings.kafka().topics()::contains)
            .collect(Collectors.toSet());
    Set<String> topics =
        SideTopics.choose(settings.kafka().topics(), matching, kafka::isSide).tables();
    if (topics.isEmpty()) {
      throw new UnavailableException(
          "no topic matches kafka.topics",
          new IllegalStateException(settings.kafka().topics().toString()));
    }
    return topics;
  }

  private static String table(Settings settings, Set<String> topics) {
    return settings.routes(topics).get(0).table();
  }

  static ProgressReporter.Sample sample(Settings settings, KafkaView kafka, CatalogView catalog) {
    Set<String> topics = topics(settings, kafka);
    Map<TopicPartition, OffsetRange> ranges = kafka.ranges(topics);
    CommitRecord record = record(catalog, table(settings, topics));
    Map<TopicPartition, PartitionProgress> progress =
        record == null ? Map.of() : record.progress().partitions();
    long read = 0;
    long lag = 0;
    for (Map.Entry<TopicPartition, OffsetRange> entry : ranges.entrySet()) {
      PartitionProgress partition = progress.get(entry.getKey());
      long next = partition == null ? entry.getValue().earliest() : partition.nextOffset();
      read += partition == null ? 0 : next - partition.origin();
      lag += Math.max(0, entry.getValue().latest() - next);
    }
    return new ProgressReporter.Sample(
        read,
        lag,
        record == null ? null : record.commitId(),
        record == null ? 0 : record.stats().upserts(),
        record == null ? 0 : record.stats().deletes());
  }

  private static @Nullable CommitRecord record(CatalogView catalog, String table) {
    try {
      return catalog.record(table);
    } catch (ForeignWriteException e) {
      throw new UnavailableException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public void close() {
    if (kafka != null) {
      kafka.close();
    }
    if (catalog != null) {
      catalog.close();
    }
  }
}
