package io.tidemark.cli.status;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.TopicPartition;
import io.tidemark.cli.check.CatalogView;
import io.tidemark.cli.check.KafkaView;
import io.tidemark.cli.check.KafkaView.OffsetRange;
import io.tidemark.commit.TopicIdentity;
import io.tidemark.commit.UnavailableException;
import io.tidemark.config.ConfigException;
import io.tidemark.config.Settings;
import io.tidemark.config.TableRoute;
import io.tidemark.config.Topics;
import io.tidemark.iceberg.TableFacts;
import io.tidemark.job.SideTopics;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Looks at the catalog and at Kafka, and goes without Kafka if that is away. */
public final class StatusReader {

  /** Counts the rows that a reader sees in a snapshot of a table. */
  @FunctionalInterface
  public interface RowCounter {
    /**
     * The number of rows.
     *
     * @param snapshot its id
     */
    long count(String table, long snapshot);
  }

  private final Settings settings;
  private final CatalogView catalog;
  private final @Nullable RowCounter counter;
  private final Clock clock;
  private @Nullable UnavailableException away;

  /**
   * Makes one.
   *
   * @param counter null for a look at metadata only
   */
  public StatusReader(
      Settings settings, CatalogView catalog, @Nullable RowCounter counter, Clock clock) {
    this.settings = settings;
    this.catalog = catalog;
    this.counter = counter;
    this.clock = clock;
  }

  /**
   * How all tables of the configuration stand.
   *
   * @throws UnavailableException if the catalog does not answer, or Kafka does not and nothing else
   *     tells which tables there are
   * @throws ConfigException if there is no topic
   */
  public List<TableStatus> read(Supplier<? extends KafkaView> brokers) {
    try (KafkaView kafka = unlessAway(brokers::get)) {
      List<TableRoute> routes = routes(kafka);
      List<TableStatus> tables = new ArrayList<>();
      for (TableRoute route : routes) {
        tables.add(status(route, kafka));
      }
      return tables;
    }
  }

  private <T> @Nullable T unlessAway(Supplier<T> question) {
    try {
      return question.get();
    } catch (UnavailableException e) {
      away = e;
      return null;
    }
  }

  private List<TableRoute> routes(@Nullable KafkaView kafka) {
    Topics configured = settings.kafka().topics();
    Set<String> topics = new TreeSet<>();
    if (configured instanceof Topics.Named named) {
      topics.addAll(named.names());
    }
    Set<String> found = kafka == null ? null : unlessAway(() -> tables(kafka, configured));
    if (found != null) {
      topics.addAll(found);
    } else if (topics.isEmpty()) {
      topics.addAll(recordedTopics());
    }
    if (topics.isEmpty()) {
      if (away != null) {
        throw away;
      }
      throw ConfigException.of("kafka.topics", "no topic matches " + configured + ", expected one");
    }
    return settings.routes(topics);
  }

  private static Set<String> tables(KafkaView kafka, Topics configured) {
    Set<String> matching = new TreeSet<>(kafka.topics());
    matching.removeIf(topic -> !configured.contains(topic));
    return SideTopics.choose(configured, matching, kafka::isSide).tables();
  }

  /** Topics of the configuration that the records of tables name. */
  private Set<String> recordedTopics() {
    Set<String> topics = new TreeSet<>();
    for (String table : catalog.tables()) {
      TableFacts facts = catalog.facts(table);
      progress(facts).keySet().stream()
          .map(TopicPartition::topic)
          .filter(settings.kafka().topics()::contains)
          .forEach(topics::add);
    }
    return topics;
  }

  private TableStatus status(TableRoute route, @Nullable KafkaView kafka) {
    TableFacts facts = catalog.facts(route.table());
    Map<TopicPartition, PartitionProgress> progress = progress(facts);
    Map<TopicPartition, OffsetRange> ranges = Map.of();
    String topicProblem = null;
    if (kafka != null && away == null) {
      topicProblem = unlessAway(() -> topicProblem(kafka, route.topic(), facts));
    }
    if (kafka != null && away == null && topicProblem == null) {
      Map<TopicPartition, OffsetRange> answer =
          unlessAway(() -> ranges(kafka, route.topic(), progress.keySet()));
      ranges = answer == null ? Map.of() : answer;
    }
    Set<TopicPartition> all = new TreeSet<>(progress.keySet());
    all.addAll(ranges.keySet());
    List<TableStatus.Partition> partitions = new ArrayList<>();
    for (TopicPartition id : all) {
      PartitionProgress recorded = progress.get(id);
      OffsetRange range = ranges.get(id);
      partitions.add(
          new TableStatus.Partition(
              id,
              recorded == null ? null : recorded.nextOffset(),
              range == null ? null : range.earliest(),
              range == null ? null : range.latest()));
    }
    return new TableStatus(
        route.topic(),
        route.table(),
        facts,
        liveRows(route.table(), facts),
        away == null ? null : String.valueOf(away.getMessage()),
        topicProblem,
        partitions,
        clock.instant());
  }

  private static @Nullable String topicProblem(
      KafkaView kafka, String topic, @Nullable TableFacts facts) {
    return facts == null || facts.commit() == null || !kafka.topics().contains(topic)
        ? null
        : TopicIdentity.problem(topic, kafka.id(topic), facts.commit().record().progress());
  }

  private static Map<TopicPartition, OffsetRange> ranges(
      KafkaView kafka, String topic, Set<TopicPartition> recorded) {
    Set<String> topics =
        recorded.stream().map(TopicPartition::topic).collect(Collectors.toCollection(TreeSet::new));
    topics.add(topic);
    topics.retainAll(kafka.topics());
    return topics.isEmpty() ? Map.of() : new TreeMap<>(kafka.ranges(topics));
  }

  private @Nullable Long liveRows(String table, @Nullable TableFacts facts) {
    if (counter == null || facts == null) {
      return null;
    }
    return facts.current() == null ? 0L : counter.count(table, facts.current().id());
  }

  private static Map<TopicPartition, PartitionProgress> progress(@Nullable TableFacts facts) {
    return facts == null || facts.commit() == null
        ? Map.of()
        : facts.commit().record().progress().partitions();
  }
}
