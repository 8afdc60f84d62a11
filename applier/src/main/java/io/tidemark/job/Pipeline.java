package io.tidemark.job;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.Progress;
import io.tidemark.commit.TopicIds;
import io.tidemark.debezium.RawRecord;
import io.tidemark.flink.Arrival;
import io.tidemark.flink.CommitInput;
import io.tidemark.flink.CommitOperator;
import io.tidemark.flink.DeadLetter;
import io.tidemark.flink.DeadLetterSchema;
import io.tidemark.flink.DecodeOperator;
import io.tidemark.flink.DryRunOperator;
import io.tidemark.flink.FixedOffsets;
import io.tidemark.flink.Forgetting;
import io.tidemark.flink.GateOperator;
import io.tidemark.flink.LetterOperator;
import io.tidemark.flink.RawRecordDeserializer;
import io.tidemark.flink.Types;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/**
 * The dataflow of one table.
 *
 * <p>Operator uids are part of what a savepoint means: they never change.
 */
final class Pipeline {
  private Pipeline() {}

  static void build(StreamExecutionEnvironment env, JobPlan plan) {
    JobPlan.Memory memory = plan.table().memory();
    SingleOutputStreamOperator<Arrival> changes =
        changes(
            env, plan.name(), plan.source(), plan.decoding(), plan.start(), memory.forgetting());
    DataStream<CommitInput> progress = changes.getSideOutput(DecodeOperator.PROGRESS);
    SingleOutputStreamOperator<CommitInput> files =
        changes
            .keyBy(Arrival::key, Types.PRIMARY_KEY)
            .connect(progress.broadcast())
            .transform(
                "gate",
                Types.COMMIT_INPUT,
                new GateOperator(
                    plan.table().writers(),
                    plan.table().seed(),
                    plan.table().keep(),
                    plan.table().gateBudgetBytes(),
                    plan.start(),
                    memory.forgetting(),
                    plan.decoding().policy()))
            .uid("gate");
    JobPlan.Aside aside = plan.decoding().aside();
    if (aside != null) {
      changes
          .getSideOutput(DecodeOperator.DEAD_LETTERS)
          .union(files.getSideOutput(GateOperator.DEAD_LETTERS))
          .transform(
              "letters",
              Types.DEAD_LETTER,
              new LetterOperator(plan.start().topicIds(), topicIds(plan.source().consumer())))
          .uid("letters")
          .sinkTo(deadLetters(aside, plan.start().topicIds()))
          .name("dead letters")
          .uid("dead-letters");
    }
    files
        .union(progress)
        .global()
        .transform(
            "commit",
            org.apache.flink.api.common.typeinfo.Types.VOID,
            new CommitOperator(
                plan.table().ledgers(),
                plan.startsFrom(),
                new CommitOperator.Source(
                    plan.start(),
                    end(plan.source().until()),
                    memory.forgetting().replay(),
                    topicIds(plan.source().consumer()),
                    new KafkaEmptyTails(plan.source().consumer()),
                    plan.decoding().byOffset()),
                UUID.randomUUID().toString(),
                plan.table().recordInterval(),
                memory.retention()))
        .uid("commit")
        .setParallelism(1)
        .setMaxParallelism(1);
  }

  private static TopicIds.Factory topicIds(Properties consumer) {
    return () -> new KafkaTopicIds(consumer);
  }

  private static Progress end(@Nullable Map<TopicPartition, Long> until) {
    Map<TopicPartition, PartitionProgress> end = new HashMap<>();
    if (until != null) {
      until.forEach((tp, offset) -> end.put(tp, PartitionProgress.startingAt(offset)));
    }
    return new Progress(end);
  }

  /** The same up to the join, and nothing that writes. */
  static void buildDryRun(StreamExecutionEnvironment env, DryRunPlan plan) {
    changes(env, plan.name(), plan.source(), plan.decoding(), plan.start(), plan.forgetting())
        .keyBy(Arrival::key, Types.PRIMARY_KEY)
        .transform(
            "count",
            org.apache.flink.api.common.typeinfo.Types.VOID,
            new DryRunOperator(plan.seed(), plan.forgetting(), plan.decoding().policy()))
        .uid("count");
  }

  private static SingleOutputStreamOperator<Arrival> changes(
      StreamExecutionEnvironment env,
      String name,
      JobPlan.Source source,
      JobPlan.Decoding decoding,
      Progress start,
      Forgetting forgetting) {
    SingleOutputStreamOperator<RawRecord> records =
        env.fromSource(
                source(name, source), WatermarkStrategy.noWatermarks(), "kafka " + source.topic())
            .uid("source")
            .returns(Types.RAW_RECORD);
    SingleOutputStreamOperator<Arrival> changes =
        records
            .transform(
                "decode",
                Types.ARRIVAL,
                new DecodeOperator(decoding.decoders(), decoding.policy(), start, forgetting))
            .uid("decode");
    if (source.until() != null) {
      // A reader without a partition ends at once, and then Flink completes no checkpoint until all
      // have ended, because part of a task with union state is gone.
      int readers = Math.min(env.getParallelism(), source.from().size());
      records.setParallelism(readers);
      changes.setParallelism(readers); // in one task with the source, which keeps the order
    }
    return changes;
  }

  private static KafkaSource<RawRecord> source(String name, JobPlan.Source source) {
    KafkaSourceBuilder<RawRecord> builder =
        KafkaSource.<RawRecord>builder()
            .setProperties(source.consumer())
            .setGroupId(name)
            .setTopics(source.topic())
            .setStartingOffsets(new FixedOffsets(kafka(source.from())))
            .setDeserializer(new RawRecordDeserializer());
    Map<TopicPartition, Long> until = source.until();
    if (until != null) {
      builder.setBounded(new FixedOffsets(kafka(until)));
    }
    return builder.build();
  }

  /** At least once is enough: a letter that comes twice names the same offset. */
  private static KafkaSink<DeadLetter> deadLetters(
      JobPlan.Aside aside, Map<String, String> topicIds) {
    return KafkaSink.<DeadLetter>builder()
        .setKafkaProducerConfig(aside.producer())
        .setBootstrapServers(aside.producer().getProperty("bootstrap.servers"))
        .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
        .setRecordSerializer(new DeadLetterSchema(aside.topic(), topicIds, aside.maxBytes()))
        .build();
  }

  private static Map<org.apache.kafka.common.TopicPartition, Long> kafka(
      Map<TopicPartition, Long> offsets) {
    Map<org.apache.kafka.common.TopicPartition, Long> result = new HashMap<>();
    offsets.forEach(
        (tp, offset) ->
            result.put(
                new org.apache.kafka.common.TopicPartition(tp.topic(), tp.partition()), offset));
    return result;
  }
}
