package io.tidemark.cli.check;

import io.tidemark.change.SourceOffset;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.Progress;
import io.tidemark.commit.UnavailableException;
import io.tidemark.config.KafkaSettings;
import io.tidemark.debezium.RawRecord;
import io.tidemark.job.KafkaTopics;
import io.tidemark.job.SameLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** A cluster behind its own clients. */
public final class KafkaCluster implements KafkaView {
  private static final ListOffsetsOptions COMMITTED =
      new ListOffsetsOptions(IsolationLevel.READ_COMMITTED);
  private static final Duration POLL = Duration.ofMillis(200);

  private final KafkaSettings settings;
  private final Map<String, Object> properties;
  private final String where;
  private final Duration timeout;
  private final Admin admin;
  private final Map<String, Boolean> side = new HashMap<>();

  private KafkaCluster(
      KafkaSettings settings,
      Map<String, Object> properties,
      String where,
      Duration timeout,
      Admin admin) {
    this.settings = settings;
    this.properties = properties;
    this.where = where;
    this.timeout = timeout;
    this.admin = admin;
  }

  /**
   * Makes the clients. Nothing is asked yet.
   *
   * @param timeout how long one question may take
   * @throws UnavailableException if the clients cannot be made with such settings
   */
  public static KafkaCluster open(KafkaSettings kafka, Duration timeout) {
    String where = "kafka.bootstrap.servers (" + kafka.bootstrapServers() + ")";
    Map<String, Object> properties = new HashMap<>(kafka.properties());
    properties.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
    int millis = Math.toIntExact(timeout.toMillis());
    properties.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, millis);
    properties.put(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, millis);
    try {
      return new KafkaCluster(kafka, properties, where, timeout, Admin.create(properties));
    } catch (KafkaException e) {
      throw new UnavailableException(where + ": no client can be made: " + root(e), e);
    }
  }

  @Override
  public Set<String> topics() {
    return new TreeSet<>(answer("list topics", admin.listTopics().names()));
  }

  @Override
  public Map<String, String> config(String topic) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    Map<String, String> config = new TreeMap<>();
    described(topic, admin.describeConfigs(List.of(resource)).all())
        .values()
        .forEach(
            found -> {
              for (ConfigEntry entry : found.entries()) {
                if (entry.value() != null) {
                  config.put(entry.name(), entry.value());
                }
              }
            });
    return config;
  }

  /** Nothing where it may not be seen: a job does not need the right to. */
  private Map<ConfigResource, Config> described(
      String topic, KafkaFuture<Map<ConfigResource, Config>> future) {
    try {
      return answer("describe topic " + topic, future);
    } catch (UnavailableException e) {
      if (e.getCause() instanceof ExecutionException asked
          && asked.getCause() instanceof AuthorizationException) {
        return Map.of();
      }
      throw e;
    }
  }

  @Override
  public @Nullable String id(String topic) {
    TopicDescription description =
        answer("describe topics", admin.describeTopics(Set.of(topic)).allTopicNames()).get(topic);
    Uuid id = description == null ? null : description.topicId();
    return id == null || id.equals(Uuid.ZERO_UUID) ? null : id.toString();
  }

  @Override
  public Map<TopicPartition, OffsetRange> ranges(Set<String> topics) {
    Map<String, TopicDescription> descriptions =
        answer("describe topics", admin.describeTopics(topics).allTopicNames());
    Map<org.apache.kafka.common.TopicPartition, OffsetSpec> earliest = new HashMap<>();
    Map<org.apache.kafka.common.TopicPartition, OffsetSpec> latest = new HashMap<>();
    descriptions
        .values()
        .forEach(
            topic ->
                topic
                    .partitions()
                    .forEach(
                        info -> {
                          var partition =
                              new org.apache.kafka.common.TopicPartition(
                                  topic.name(), info.partition());
                          earliest.put(partition, OffsetSpec.earliest());
                          latest.put(partition, OffsetSpec.latest());
                        }));
    Map<org.apache.kafka.common.TopicPartition, ListOffsetsResultInfo> starts =
        answer("list offsets", admin.listOffsets(earliest, COMMITTED).all());
    Map<TopicPartition, OffsetRange> ranges = new TreeMap<>();
    // The ends are asked for last: an end may grow in between, but is never below its start.
    answer("list offsets", admin.listOffsets(latest, COMMITTED).all())
        .forEach(
            (partition, end) -> {
              ListOffsetsResultInfo start = starts.get(partition);
              if (start != null) {
                ranges.put(
                    new TopicPartition(partition.topic(), partition.partition()),
                    new OffsetRange(start.offset(), end.offset()));
              }
            });
    return ranges;
  }

  @Override
  public List<RawRecord> first(String topic, int limit) {
    Map<TopicPartition, OffsetRange> ranges = ranges(Set.of(topic));
    Map<String, Object> consumer = new HashMap<>(properties);
    consumer.remove(ConsumerConfig.GROUP_ID_CONFIG);
    consumer.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    consumer.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    consumer.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    try (KafkaConsumer<byte[], byte[]> reader =
        new KafkaConsumer<>(consumer, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      return read(reader, ranges, limit);
    } catch (KafkaException e) {
      throw new UnavailableException(where + ": topic " + topic + " cannot be read: " + root(e), e);
    }
  }

  private List<RawRecord> read(
      KafkaConsumer<byte[], byte[]> reader, Map<TopicPartition, OffsetRange> ranges, int limit) {
    Set<org.apache.kafka.common.TopicPartition> open = new HashSet<>();
    ranges.forEach(
        (partition, range) -> {
          if (range.earliest() < range.latest()) {
            open.add(kafka(partition));
          }
        });
    reader.assign(open);
    open.forEach(partition -> reader.seek(partition, range(ranges, partition).earliest()));
    List<RawRecord> records = new ArrayList<>();
    long deadline = System.nanoTime() + timeout.toNanos();
    // Only what was there at the start is waited for: an idle topic must not keep the check.
    while (!open.isEmpty() && records.size() < limit && System.nanoTime() < deadline) {
      for (ConsumerRecord<byte[], byte[]> record : reader.poll(POLL)) {
        if (records.size() < limit) {
          records.add(raw(record));
        }
      }
      open.removeIf(partition -> reader.position(partition) >= range(ranges, partition).latest());
    }
    return records;
  }

  @Override
  public boolean isSide(String topic) {
    return side.computeIfAbsent(
        topic,
        name -> {
          try (KafkaTopics topics = new KafkaTopics(settings)) {
            return topics.isSide(name);
          }
        });
  }

  @Override
  public List<String> otherRecords(String topic, Progress recorded) {
    Map<TopicPartition, Long> next = new TreeMap<>();
    recorded.partitions().forEach((tp, known) -> next.put(tp, known.nextOffset()));
    try (KafkaTopics topics = new KafkaTopics(settings)) {
      return SameLog.problems(topics, recorded, topics.topic(topic).ranges(), next);
    }
  }

  @Override
  public void close() {
    admin.close(Duration.ofSeconds(1));
  }

  private <T> T answer(String what, KafkaFuture<T> future) {
    try {
      return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException(where + ": interrupted while waiting for an answer", e);
    } catch (TimeoutException e) {
      throw away(e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      if (cause instanceof org.apache.kafka.common.errors.TimeoutException) {
        throw away(e);
      }
      String hint = cause instanceof AuthorizationException ? " Grant Describe and Read." : "";
      throw new UnavailableException(where + ": could not " + what + ": " + root(cause) + hint, e);
    }
  }

  private UnavailableException away(Throwable cause) {
    return new UnavailableException(
        where
            + ": no broker answered within "
            + timeout.toSeconds()
            + " s, expected a Kafka broker there that also advertises an address reachable from here;"
            + " --timeout waits longer",
        cause);
  }

  private static OffsetRange range(
      Map<TopicPartition, OffsetRange> ranges, org.apache.kafka.common.TopicPartition partition) {
    OffsetRange range = ranges.get(new TopicPartition(partition.topic(), partition.partition()));
    if (range == null) {
      throw new IllegalStateException("No range of " + partition);
    }
    return range;
  }

  private static org.apache.kafka.common.TopicPartition kafka(TopicPartition partition) {
    return new org.apache.kafka.common.TopicPartition(partition.topic(), partition.partition());
  }

  private static RawRecord raw(ConsumerRecord<byte[], byte[]> record) {
    Map<String, byte[]> headers = new HashMap<>();
    record.headers().forEach(header -> headers.put(header.key(), header.value()));
    return new RawRecord(
        new SourceOffset(record.topic(), record.partition(), record.offset()),
        record.timestamp(),
        record.key(),
        record.value(),
        headers);
  }

  private static String root(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
  }

  /** Whether Kafka removes older records of a key from a topic with these settings. */
  static boolean isCompacted(Map<String, String> config) {
    return config.getOrDefault(TopicConfig.CLEANUP_POLICY_CONFIG, "").contains("compact");
  }
}
