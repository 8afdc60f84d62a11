package io.tidemark.job;

import static java.util.Objects.requireNonNull;

import io.tidemark.commit.TopicIds;
import io.tidemark.commit.UnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/** One question to a broker, by a connection that is kept. */
final class KafkaTopicIds implements TopicIds {
  /** Short, because barriers wait meanwhile: whoever gets no answer asks again at the next. */
  private static final int TIMEOUT_MILLIS = 5_000;

  private final Properties properties;
  private @Nullable Admin admin;

  /**
   * One that is not connected yet.
   *
   * @param consumer the properties of the job's consumers
   */
  KafkaTopicIds(Properties consumer) {
    properties = new Properties();
    properties.putAll(consumer);
    properties.setProperty("request.timeout.ms", Integer.toString(TIMEOUT_MILLIS));
    properties.setProperty("default.api.timeout.ms", Integer.toString(TIMEOUT_MILLIS));
  }

  @Override
  public @Nullable String now(String topic) {
    return id(described(topic).topicId());
  }

  @Override
  public int partitions(String topic) {
    return described(topic).partitions().size();
  }

  private TopicDescription described(String topic) {
    try {
      if (admin == null) {
        admin = Admin.create(properties);
      }
      return requireNonNull(admin.describeTopics(List.of(topic)).topicNameValues().get(topic))
          .get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable(topic, e);
    } catch (ExecutionException e) {
      throw unavailable(topic, e.getCause() == null ? e : e.getCause());
    } catch (KafkaException e) {
      throw unavailable(topic, e);
    }
  }

  /** The id that a description has; null for none. */
  static @Nullable String id(@Nullable Uuid id) {
    return id == null || id.equals(Uuid.ZERO_UUID) ? null : id.toString();
  }

  private static UnavailableException unavailable(String topic, Throwable cause) {
    return new UnavailableException(
        "Kafka (kafka.bootstrap.servers) does not say whether topic "
            + topic
            + " is still the same: "
            + cause.getMessage(),
        cause);
  }

  @Override
  public void close() {
    if (admin != null) {
      admin.close(Duration.ofSeconds(1));
    }
  }
}
