package io.tidemark.job;

import io.tidemark.config.ConfigException;
import io.tidemark.config.ErrorPolicy;
import io.tidemark.config.Settings;
import io.tidemark.config.TableRoute;
import io.tidemark.debezium.OnUnrepresentable;

/** Whether the topic that dead letters go to is there. */
final class DeadLetterTopic {
  private DeadLetterTopic() {}

  /**
   * Asks before a job begins: its producer would wait for the topic, fail the job after a minute,
   * and so again and again.
   *
   * @throws ConfigException if it is not, and the brokers do not create it when they are asked
   */
  static void require(Settings settings, TableRoute route, KafkaTopics kafka) {
    String topic = settings.errors().topic();
    boolean used =
        settings.errors().policy() == ErrorPolicy.DEAD_LETTER
            || route.rules().onUnrepresentable() == OnUnrepresentable.DEAD_LETTER;
    if (topic != null && used && !kafka.has(topic) && !kafka.hasForProducers(topic)) {
      throw ConfigException.of(
          "errors.topic",
          "is "
              + topic
              + ", which the cluster does not have, and its brokers did not create it when they were"
              + " asked to. Create it: kafka-topics.sh --create --topic "
              + topic
              + " --bootstrap-server "
              + settings.kafka().bootstrapServers());
    }
  }
}
