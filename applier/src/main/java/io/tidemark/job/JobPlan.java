package io.tidemark.job;

import io.tidemark.change.TopicPartition;
import io.tidemark.commit.Progress;
import io.tidemark.commit.Retention;
import io.tidemark.config.Settings;
import io.tidemark.config.TableRoute;
import io.tidemark.flink.CommitOperator;
import io.tidemark.flink.Decoder;
import io.tidemark.flink.Forgetting;
import io.tidemark.flink.GateOperator;
import io.tidemark.flink.MalformedPolicy;
import io.tidemark.merge.BatchWriter;
import io.tidemark.merge.Seed;
import io.tidemark.row.RowShape;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * All that was decided before a job starts.
 *
 * @param name the job's name, also of its consumer group
 * @param source what is read
 * @param decoding how it is decoded
 * @param table what is written
 * @param known what the table's record knows of the partitions; for a new table where each of them
 *     starts. A partition that is not among them came later
 * @param start what is known of every partition, and where those start that came later
 * @param startsFrom commit-id of the table's record; null for a table without one
 */
record JobPlan(
    String name,
    Source source,
    Decoding decoding,
    Table table,
    Progress known,
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
   * @param deadLetterTopic null if there is none; nothing goes there under another policy than
   *     {@link MalformedPolicy#DEAD_LETTER}, but for values that are dead letters by their route
   */
  record Decoding(
      Decoder.Factory decoders, MalformedPolicy policy, @Nullable String deadLetterTopic) {

    /** As a route and the error policy say. */
    static Decoding of(
        Settings settings, TableRoute route, RowShape shape, Map<String, String> columns) {
      return new Decoding(
          DebeziumDecoders.of(settings, route, shape, columns),
          switch (settings.errors().policy()) {
            case FAIL -> MalformedPolicy.FAIL;
            case DEAD_LETTER -> MalformedPolicy.DEAD_LETTER;
            case SKIP -> MalformedPolicy.SKIP;
          },
          settings.errors().topic());
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
