package io.tidemark.cli.check;

import io.tidemark.config.Names;
import io.tidemark.config.Settings;
import io.tidemark.config.TableRoute;
import io.tidemark.config.Topics;
import io.tidemark.job.SideTopics;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Whether the topics are there, go into one table, and keep what is needed. */
final class TopicCheck {
  private static final String SUBJECT = "topics";

  private final Settings settings;
  private final CheckReport report;

  TopicCheck(Settings settings, CheckReport report) {
    this.settings = settings;
    this.report = report;
  }

  /** The way of the one topic into its table; null if there is no such way. */
  @Nullable TableRoute run(KafkaView kafka) {
    Set<String> all = kafka.topics();
    report.ok(
        "broker",
        settings.kafka().bootstrapServers() + ", " + CheckReport.count(all.size(), "topic"));
    checkDeadLetters(all);
    List<String> mine = all.stream().filter(settings.kafka().topics()::contains).toList();
    if (!checkNames(all, mine)) {
      return null;
    }
    SideTopics.Choice topics =
        SideTopics.choose(settings.kafka().topics(), new TreeSet<>(mine), kafka::isSide);
    if (!topics.side().isEmpty()) {
      report.ok(SUBJECT, String.join(", ", topics.side()) + " are left out: " + SideTopics.WHY);
    }
    List<TableRoute> routes = settings.routes(topics.tables());
    if (routes.size() > 1) {
      report.fail(
          SUBJECT,
          "kafka.topics gives "
              + routes.size()
              + " tables: "
              + routes.stream()
                  .map(r -> r.topic() + " -> " + r.table())
                  .collect(Collectors.joining(", ")),
          "name one topic in kafka.topics and run one job for each: several tables in one run are"
              + " not available yet");
      return null;
    }
    TableRoute route = routes.get(0);
    int partitions = kafka.ranges(Set.of(route.topic())).size();
    report.ok(
        SUBJECT,
        route.topic()
            + ", "
            + CheckReport.count(partitions, "partition")
            + ", into table "
            + route.table());
    checkKeeping(kafka.config(route.topic()), route.topic());
    return route;
  }

  private boolean checkNames(Set<String> all, List<String> mine) {
    Topics wanted = settings.kafka().topics();
    if (wanted instanceof Topics.Named named) {
      boolean complete = true;
      for (String name : named.names()) {
        if (!all.contains(name)) {
          complete = false;
          report.fail(
              SUBJECT,
              "kafka.topics names " + name + ", which the cluster does not have",
              Names.nearest(name, all)
                  .map(near -> "did you mean " + near + "?")
                  .orElse(
                      "create it, correct kafka.topics, or grant Describe: Kafka hides what a login"
                          + " may not see"));
        }
      }
      return complete;
    }
    if (mine.isEmpty()) {
      report.fail(
          SUBJECT,
          "kafka.topics is "
              + wanted
              + ", which matches none of the "
              + CheckReport.count(all.size(), "topic")
              + listed(all),
          "correct kafka.topics: the expression must match the whole name");
      return false;
    }
    return true;
  }

  private void checkKeeping(Map<String, String> config, String topic) {
    if (KafkaCluster.isCompacted(config)) {
      String finding = "topic " + topic + " has cleanup.policy=" + config.get("cleanup.policy");
      if (settings.kafka().allowCompacted()) {
        report.warn(
            SUBJECT,
            finding,
            "allowed by kafka.allow-compacted: older changes of a key may be gone, and deletes that a"
                + " null record follows");
      } else {
        report.fail(
            SUBJECT,
            finding + ", expected delete: Kafka removes older changes of a key",
            "set cleanup.policy=delete, or kafka.allow-compacted: true if every message has all columns"
                + " and no delete is followed by a null record");
      }
    }
  }

  private void checkDeadLetters(Set<String> all) {
    String topic = settings.errors().topic();
    if (topic != null && !all.contains(topic)) {
      report.warn(
          SUBJECT,
          "errors.topic is " + topic + ", which the cluster does not have",
          "create it; a run is refused unless the brokers create topics by themselves");
    }
  }

  private static String listed(Set<String> topics) {
    return topics.isEmpty()
        ? ""
        : topics.stream()
            .limit(10)
            .collect(Collectors.joining(", ", ": ", topics.size() > 10 ? ", …" : ""));
  }
}
