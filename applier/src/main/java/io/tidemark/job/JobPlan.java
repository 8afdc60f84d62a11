package io.tidemark.job;

import io.tidemark.change.TopicPartition;
import io.tidemark.commit.Progress;
import io.tidemark.commit.Retention;
import io.tidemark.config.KafkaSettings;
import io.tidemark.config.Settings;
import io.tidemark.config.TableRoute;
import io.tidemark.debezium.ChangeDecoder;
import io.tidemark.flink.CommitOperator;
import io.tidemark.flink.Decoder;
import io.tidemark.flink.Forgetting;
import io.tidemark.flink.GateOperator;
import io.tidemark.flink.MalformedPolicy;
import io.tidemark.merge.BatchWriter;
import io.tidemark.merge.Seed;
import io.tidemark.row.RowShape;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.config.ConfigDef;
import org.jspecify.annotations.Nullable;

/**
 * All that was decided before a job starts.
 *
 * @param name the job's name, also of its consumer group
 * @param source what is read
 * @param decoding how it is decoded
 * @param table what is written
 * @param start what is known of every partition: what the table's record knows, and where those
 *     start that came later, with the sign that they did; for a new table where each of them
 *     starts. With all gaps, those that are accepted now among them
 * @param startsFrom commit-id of the table's record; null for a table without one
 */
record JobPlan(
    String name,
    Source source,
    Decoding decoding,
    Table table,
    Progress start,
    @Nullable String startsFrom) {

  /**
   * What is read.
   *
   * @param consumer all consumer properties, {@code bootstrap.servers} among them
   * @param from first offset of each partition
   * @param until offset to stop before, of each partition; null to go on for ever
   */
  record Source(
      String topic,
      Properties consumer,
      Map<TopicPartition, Long> from,
      @Nullable Map<TopicPartition, Long> until) {}

  /**
   * How it is decoded.
   *
   * @param byOffset whether only offsets order the changes
   * @param aside null if there is no such topic; nothing goes there under another policy than
   *     {@link MalformedPolicy#DEAD_LETTER}, but for values that are dead letters by their route
   */
  record Decoding(
      Decoder.Factory decoders, MalformedPolicy policy, boolean byOffset, @Nullable Aside aside) {

    /** As a route and the error policy say, for a topic that has so many partitions now. */
    static Decoding of(
        Settings settings,
        KafkaTopics kafka,
        TableRoute route,
        int partitions,
        RowShape shape,
        Map<String, String> columns) {
      String topic = settings.errors().topic();
      return new Decoding(
          DebeziumDecoders.of(settings, route, partitions, shape, columns),
          switch (settings.errors().policy()) {
            case FAIL -> MalformedPolicy.FAIL;
            case DEAD_LETTER -> MalformedPolicy.DEAD_LETTER;
            case SKIP -> MalformedPolicy.SKIP;
          },
          ChangeDecoder.isOrderedByOffset(route.rules().versionScheme(), shape),
          topic == null ? null : Aside.of(topic, settings.kafka(), kafka.maxMessageBytes(topic)));
    }
  }

  /**
   * Where dead letters go.
   *
   * @param topic its name
   * @param maxBytes how large a batch of one record may be, before compression
   * @param producer all producer properties
   */
  record Aside(String topic, int maxBytes, Properties producer) {
    private static final List<String> LIMITS = List.of("max.request.size", "buffer.memory");
    private static final int DEFAULT_BUFFER = 32 * 1024 * 1024;

    /** As large as the topic takes them, unless the settings say less. */
    static Aside of(String topic, KafkaSettings settings, int topicTakes) {
      Properties producer = KafkaTopics.consumerProperties(settings);
      int max = topicTakes;
      for (String limit : LIMITS) {
        String given = producer.getProperty(limit);
        if (given != null) {
          max = (int) Math.min(max, (long) ConfigDef.parseType(limit, given, ConfigDef.Type.LONG));
        }
      }
      producer.putIfAbsent("max.request.size", Integer.toString(max));
      producer.putIfAbsent("buffer.memory", Integer.toString(Math.max(max, DEFAULT_BUFFER)));
      return new Aside(topic, max, producer);
    }
  }

  /**
   * What is written.
   *
   * @param seed null for a table without rows
   * @param keep for columns that the source leaves out
   * @param gateBudgetBytes per subtask
   * @param recordInterval how long offsets may move without changes before they are recorded
   */
  record Table(
      BatchWriter.Factory writers,
      @Nullable Seed seed,
      CommitOperator.LedgerFactory ledgers,
      GateOperator.KeepSettings keep,
      long gateBudgetBytes,
      Duration recordInterval,
      Memory memory) {}

  /**
   * How deleted keys are forgotten.
   *
   * @param retention from which the record's horizon follows
   * @param forgetting what the gates go by in this run
   */
  record Memory(Retention retention, Forgetting forgetting) {}
}
