package io.tidemark.job;

import io.tidemark.change.TopicPartition;
import io.tidemark.commit.StartOffsets.Range;
import io.tidemark.commit.UnavailableException;
import io.tidemark.config.KafkaSettings;
import io.tidemark.config.MessageSettings;
import io.tidemark.debezium.RawRecord;
import io.tidemark.debezium.ShapeReader;
import io.tidemark.flink.RawRecordDeserializer;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** What Kafka says of its topics, asked before a job starts. */
public final class KafkaTopics implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 15_000;

  /** Kafka's {@code message.max.bytes}: 1 MiB, and the head of a batch. */
  private static final int DEFAULT_MAX_MESSAGE_BYTES = 1_048_588;

  /** Records at each end of a partition that tell what a topic is of. */
  private static final int LOOKED_AT = 100;

  private final KafkaSettings settings;
  private final Admin admin;

  /** Connects when first asked. */
  public KafkaTopics(KafkaSettings settings) {
    this.settings = settings;
    Properties properties = consumerProperties(settings);
    properties.setProperty("request.timeout.ms", Integer.toString(TIMEOUT_MILLIS / 2));
    properties.setProperty("default.api.timeout.ms", Integer.toString(TIMEOUT_MILLIS));
    this.admin = ask(() -> Admin.create(properties));
  }

  /** The properties that every consumer of a job has. */
  public static Properties consumerProperties(KafkaSettings settings) {
    Properties properties = new Properties();
    properties.putAll(settings.properties());
    properties.setProperty("bootstrap.servers", settings.bootstrapServers());
    properties.setProperty("isolation.level", "read_committed");
    return properties;
  }

  /** Names of the existing topics that the login may see, but Kafka's own. */
  SortedSet<String> names() {
    return new TreeSet<>(ask(() -> admin.listTopics().names().get()));
  }

  /** Names of the existing topics that the settings ask for. */
  public SortedSet<String> matching() {
    SortedSet<String> names = names();
    names.removeIf(name -> !settings.topics().contains(name));
    return names;
  }

  /** Whether there is a topic of this name. */
  public boolean has(String topic) {
    return names().contains(topic);
  }

  /**
   * Whether there is a topic of this name now that a producer asked for it, which makes brokers
   * create it where {@code auto.create.topics.enable} is on (Kafka's default).
   */
  boolean hasForProducers(String topic) {
    Properties properties = consumerProperties(settings);
    properties.putIfAbsent("max.block.ms", Integer.toString(TIMEOUT_MILLIS));
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      return !producer.partitionsFor(topic).isEmpty();
    } catch (org.apache.kafka.common.errors.TimeoutException | InvalidTopicException e) {
      return false;
    } catch (org.apache.kafka.common.KafkaException e) {
      throw unavailable(e);
    }
  }

  /** Whether Kafka removes older changes of a key; false if it does not say. */
  public boolean isCompacted(String topic) {
    String policy = config(topic, TopicConfig.CLEANUP_POLICY_CONFIG);
    return policy != null && policy.contains(TopicConfig.CLEANUP_POLICY_COMPACT);
  }

  /**
   * How large a batch of one record a topic takes, in bytes; what Kafka's default is if unknown.
   */
  int maxMessageBytes(String topic) {
    String bytes = config(topic, TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
    return bytes == null ? DEFAULT_MAX_MESSAGE_BYTES : Integer.parseInt(bytes);
  }

  /** A setting of a topic; null if Kafka does not say. */
  private @Nullable String config(String topic, String name) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    return ask(() -> config(resource, name)).orElse(null);
  }

  private Optional<String> config(ConfigResource resource, String name)
      throws InterruptedException, ExecutionException {
    try {
      for (Config config : admin.describeConfigs(List.of(resource)).all().get().values()) {
        ConfigEntry entry = config.get(name);
        if (entry != null) {
          return Optional.ofNullable(entry.value());
        }
      }
      return Optional.empty();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AuthorizationException // reading needs no right to see this
          || e.getCause() instanceof UnknownTopicOrPartitionException) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /**
   * What Kafka has of a topic.
   *
   * @param id Kafka's own; null if the brokers give none
   * @param ranges by partition the first offset that is there and the one that comes next
   */
  public record Topic(@Nullable String id, Map<TopicPartition, Range> ranges) {

    /** By partition the offset that comes next. */
    Map<TopicPartition, Long> ends() {
      Map<TopicPartition, Long> ends = new TreeMap<>();
      ranges.forEach((tp, range) -> ends.put(tp, range.end()));
      return ends;
    }
  }

  /** Looks at a topic. */
  public Topic topic(String topic) {
    TopicDescription description =
        ask(() -> admin.describeTopics(List.of(topic)).allTopicNames().get()).get(topic);
    if (description == null) {
      throw new IllegalArgumentException("There is no topic " + topic);
    }
    List<TopicPartition> partitions =
        description.partitions().stream()
            .map(TopicPartitionInfo::partition)
            .map(number -> new TopicPartition(topic, number))
            .toList();
    Map<TopicPartition, Long> begin = offsets(partitions, OffsetSpec.earliest());
    Map<TopicPartition, Long> end = offsets(partitions, OffsetSpec.latest());
    Map<TopicPartition, Range> ranges = new TreeMap<>();
    partitions.forEach(
        tp -> ranges.put(tp, new Range(begin.getOrDefault(tp, 0L), end.getOrDefault(tp, 0L))));
    return new Topic(KafkaTopicIds.id(description.topicId()), ranges);
  }

  /** In each partition the first offset whose timestamp is not before; the end if there is none. */
  public Map<TopicPartition, Long> at(Map<TopicPartition, Range> ranges, Instant instant) {
    // Negative times mean other things to Kafka; no record has one.
    OffsetSpec time = OffsetSpec.forTimestamp(Math.max(0, instant.toEpochMilli()));
    Map<TopicPartition, Long> offsets = offsets(ranges.keySet(), time);
    Map<TopicPartition, Long> result = new TreeMap<>();
    ranges.forEach(
        (tp, range) -> {
          long offset = offsets.getOrDefault(tp, -1L);
          result.put(tp, offset < 0 ? range.end() : offset);
        });
    return result;
  }

  /**
   * Whether the oldest and the newest records of each partition are all of those that Debezium
   * writes beside the changes of tables; false if there are none.
   */
  public boolean isSide(String topic) {
    MessageSettings messages = settings.messages();
    ShapeReader shapes =
        new ShapeReader(List.of(), Map.of(), messages.messages(), messages.unwrapped());
    AtomicBoolean any = new AtomicBoolean();
    Predicate<RawRecord> isNone =
        record -> {
          any.set(true);
          return !shapes.isSideRecord(record);
        };
    Map<TopicPartition, Range> oldest = new TreeMap<>();
    Map<TopicPartition, Range> newest = new TreeMap<>();
    topic(topic)
        .ranges()
        .forEach(
            (tp, range) -> {
              long first = Math.min(range.end(), range.begin() + LOOKED_AT);
              oldest.put(tp, new Range(range.begin(), first));
              newest.put(tp, new Range(Math.max(first, range.end() - LOOKED_AT), range.end()));
            });
    return !search(oldest, isNone) && !search(newest, isNone) && any.get();
  }

  /**
   * Reads a topic from its beginning until a record is found that serves, or the end.
   *
   * @param serves takes each record, in no order across partitions; true ends the search
   * @return whether a record served
   */
  public boolean search(Map<TopicPartition, Range> ranges, Predicate<RawRecord> serves) {
    Properties properties = consumerProperties(settings);
    properties.setProperty("auto.offset.reset", "none");
    properties.setProperty("enable.auto.commit", "false");
    properties.setProperty("default.api.timeout.ms", Integer.toString(TIMEOUT_MILLIS));
    Map<org.apache.kafka.common.TopicPartition, Range> open = new HashMap<>();
    ranges.forEach(
        (tp, range) -> {
          if (range.end() > range.begin()) {
            open.put(kafka(tp), range);
          }
        });
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(open.keySet());
      open.forEach((tp, range) -> consumer.seek(tp, range.begin()));
      long before = -1;
      long movedAt = System.nanoTime();
      while (open.entrySet().stream()
          .anyMatch(e -> consumer.position(e.getKey()) < e.getValue().end())) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(500))) {
          Range range =
              open.get(
                  new org.apache.kafka.common.TopicPartition(record.topic(), record.partition()));
          if (range != null
              && record.offset() < range.end()
              && serves.test(RawRecordDeserializer.rawRecord(record))) {
            return true;
          }
        }
        // The consumer itself waits for a lost broker for ever.
        long now = open.keySet().stream().mapToLong(consumer::position).sum();
        if (now != before) {
          before = now;
          movedAt = System.nanoTime();
        } else if (System.nanoTime() - movedAt > TIMEOUT_MILLIS * 1_000_000L) {
          throw new org.apache.kafka.common.errors.TimeoutException("no records came");
        }
      }
      return false;
    } catch (org.apache.kafka.common.KafkaException e) {
      throw unavailable(e);
    }
  }

  @Override
  public void close() {
    admin.close(Duration.ofSeconds(1));
  }

  private Map<TopicPartition, Long> offsets(
      Collection<TopicPartition> partitions, OffsetSpec spec) {
    Map<org.apache.kafka.common.TopicPartition, OffsetSpec> query = new HashMap<>();
    partitions.forEach(tp -> query.put(kafka(tp), spec));
    Map<org.apache.kafka.common.TopicPartition, ListOffsetsResultInfo> answer =
        ask(
            () ->
                admin
                    .listOffsets(query, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                    .all()
                    .get());
    Map<TopicPartition, Long> offsets = new HashMap<>();
    answer.forEach((tp, info) -> offsets.put(ours(tp), info.offset()));
    return offsets;
  }

  private static org.apache.kafka.common.TopicPartition kafka(TopicPartition tp) {
    return new org.apache.kafka.common.TopicPartition(tp.topic(), tp.partition());
  }

  private static TopicPartition ours(org.apache.kafka.common.TopicPartition tp) {
    return new TopicPartition(tp.topic(), tp.partition());
  }

  private <T extends @Nullable Object> T ask(Question<T> question) {
    try {
      return question.ask();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable(e);
    } catch (ExecutionException e) {
      throw unavailable(e.getCause() == null ? e : e.getCause());
    } catch (org.apache.kafka.common.KafkaException e) {
      throw unavailable(e);
    }
  }

  private UnavailableException unavailable(Throwable cause) {
    return new UnavailableException(
        "kafka.bootstrap.servers: " + settings.bootstrapServers() + problem(cause), cause);
  }

  /** A broker that says no is not one that is away: waiting does not help. */
  static String problem(Throwable cause) {
    String said = ": " + cause.getMessage();
    if (cause instanceof AuthenticationException) {
      return " does not accept who connects"
          + said
          + ". Correct security.protocol, sasl.… or ssl.… in kafka.properties";
    }
    if (cause instanceof AuthorizationException) {
      return " does not allow it" + said + ". Grant Describe and Read";
    }
    return " did not answer within " + TIMEOUT_MILLIS / 1000 + " s" + said;
  }

  private interface Question<T extends @Nullable Object> {
    T ask() throws InterruptedException, ExecutionException;
  }
}
