package io.tidemark.job;

import io.tidemark.config.ConfigException;
import io.tidemark.config.Settings;
import io.tidemark.config.TableRoute;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the one topic that a job reads. */
final class OnlyRoute {
  private static final Logger LOG = LoggerFactory.getLogger(OnlyRoute.class);

  private OnlyRoute() {}

  /**
   * The way of the topic into its table.
   *
   * @throws ConfigException if there is none or more than one, or Kafka does not keep it as a whole
   */
  static TableRoute of(Settings settings, KafkaTopics kafka) {
    SideTopics.Choice topics =
        SideTopics.choose(settings.kafka().topics(), kafka.matching(), kafka::isSide);
    if (!topics.side().isEmpty()) {
      LOG.info(
          "Topics {} match kafka.topics and are left out: {}",
          String.join(", ", topics.side()),
          SideTopics.WHY);
    }
    List<TableRoute> routes = settings.routes(topics.tables());
    if (routes.isEmpty()) {
      throw ConfigException.of(
          "kafka.topics",
          "no topic matches "
              + settings.kafka().topics()
              + ", expected one that is there and that this login may see (Describe)");
    }
    if (routes.size() > 1) {
      throw ConfigException.of(
          "kafka.topics",
          "topics "
              + String.join(", ", routes.stream().map(TableRoute::topic).toList())
              + " match, expected one: a job keeps one table");
    }
    TableRoute route = routes.get(0);
    if (!settings.kafka().allowCompacted() && kafka.isCompacted(route.topic())) {
      throw ConfigException.of(
          "kafka.allow-compacted",
          "is not set, and Kafka removes older changes of a key from topic "
              + route.topic()
              + " (cleanup.policy=compact): set cleanup.policy=delete, or kafka.allow-compacted: true"
              + " if every message has all columns");
    }
    return route;
  }
}
