package io.tidemark.job;

import io.tidemark.config.ConfigException;
import io.tidemark.config.Names;
import io.tidemark.config.Settings;
import io.tidemark.config.TableRoute;
import io.tidemark.config.Topics;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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
              + ", expected one that is there and that this login may see (Describe)"
              + meant(settings.kafka().topics(), kafka.names()));
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
              + " if every message has all columns and no delete is followed by a null record");
    }
    return route;
  }

  /** The end of that message. An expression is no name that another could be near to. */
  private static String meant(Topics wanted, Set<String> all) {
    if (!(wanted instanceof Topics.Named named)) {
      return "";
    }
    Set<String> near = new TreeSet<>();
    named.names().forEach(name -> Names.nearest(name, all).ifPresent(near::add));
    return near.isEmpty() ? "" : ": did you mean " + Names.oneOf(near) + "?";
  }
}
