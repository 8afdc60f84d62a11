package io.tidemark.job;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.AcceptedReplay;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.Progress;
import io.tidemark.commit.ReplayHorizon;
import io.tidemark.commit.Retention;
import io.tidemark.commit.StartOffsets;
import io.tidemark.commit.StartOffsets.Range;
import io.tidemark.commit.TopicIdentity;
import io.tidemark.config.ConfigException;
import io.tidemark.config.Settings;
import io.tidemark.config.StartFrom;
import io.tidemark.config.StartPosition;
import io.tidemark.config.TableRoute;
import io.tidemark.config.UnknownValues;
import io.tidemark.failure.RefusedException;
import io.tidemark.flink.Forgetting;
import io.tidemark.flink.GateOperator;
import io.tidemark.iceberg.IcebergBatchWriterFactory;
import io.tidemark.iceberg.IcebergLedgerFactory;
import io.tidemark.iceberg.IcebergSeed;
import io.tidemark.iceberg.IcebergTables;
import io.tidemark.iceberg.TableDefinition;
import io.tidemark.iceberg.TableDescription;
import io.tidemark.iceberg.TableState;
import io.tidemark.row.RowShape;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Decides, from what Kafka and the table say, how a job starts that has no Flink state. */
final class Planner {
  private final Settings settings;
  private final RunOptions options;
  private final boolean restores;

  private Planner(Settings settings, RunOptions options, boolean restores) {
    this.settings = settings;
    this.options = options;
    this.restores = restores;
  }

  /** Where {@code restores}, state goes on by itself with a replay that is under way. */
  static JobPlan plan(Settings settings, RunOptions options, boolean restores) {
    try (KafkaTopics kafka = new KafkaTopics(settings.kafka());
        IcebergTables tables = IcebergTables.open(settings.catalog())) {
      return new Planner(settings, options, restores).plan(kafka, tables);
    }
  }

  /** The same for a run that writes nothing: also no table. */
  static DryRunPlan planDryRun(Settings settings, RunOptions options) {
    try (KafkaTopics kafka = new KafkaTopics(settings.kafka());
        IcebergTables tables = IcebergTables.open(settings.catalog())) {
      return new Planner(settings, options, false).dryRun(kafka, tables);
    }
  }

  /** For a repair of one table, which has to have a record. */
  static RepairPlan planRepair(Settings settings, TableRoute route, boolean writes) {
    try (KafkaTopics kafka = new KafkaTopics(settings.kafka());
        IcebergTables tables = IcebergTables.open(settings.catalog())) {
      return new Planner(settings, RunOptions.catchUp(), false)
          .repair(kafka, tables, route, writes);
    }
  }

  /**
   * For letters that are put back into the only table, which has to have a record and nothing of
   * others.
   */
  static RedrivePlan planRedrive(Settings settings, KafkaTopics kafka, boolean writes) {
    try (IcebergTables tables = IcebergTables.open(settings.catalog())) {
      Planner planner = new Planner(settings, RunOptions.catchUp(), false);
      TableRoute route = OnlyRoute.of(settings, kafka);
      RepairPlan plan = planner.repair(kafka, tables, route, writes);
      UntouchedTable.require(
          tables,
          route.table(),
          new IcebergLedgerFactory(settings.catalog(), route.table(), plan.version(), null),
          plan.record());
      return new RedrivePlan(route, kafka.topic(route.topic()), plan);
    }
  }

  private RepairPlan repair(
      KafkaTopics kafka, IcebergTables tables, TableRoute route, boolean writes) {
    KafkaTopics.Topic topic = kafka.topic(route.topic());
    TableState state = tables.state(route.table());
    if (state != TableState.HAS_RECORD) {
      throw new RefusedException("Table " + route.table() + " has no record of Tidemark");
    }
    TableColumns.Resolved resolved = columns(kafka, tables, route, state, topic);
    TableDescription table =
        writes ? ensured(tables, resolved) : tables.fitting(resolved.definition());
    CommitRecord record = Objects.requireNonNull(table.record());
    TopicIdentity.check(route.table(), route.topic(), topic.id(), record.progress());
    return new RepairPlan(
        DebeziumDecoders.of(
            settings, route, topic.ranges().size(), table.shape(), resolved.specs()),
        new IcebergBatchWriterFactory(
            settings.catalog(), route.table(), table.shape(), table.version()),
        table.version(),
        Objects.requireNonNull(seed(route, table)),
        record);
  }

  private JobPlan plan(KafkaTopics kafka, IcebergTables tables) {
    TableRoute route = OnlyRoute.of(settings, kafka);
    DeadLetterTopic.require(settings, route, kafka);
    KafkaTopics.Topic topic = kafka.topic(route.topic());
    TableState state = state(tables, route);
    if (state == TableState.ROWS_WITHOUT_RECORD) {
      TableColumns columns = new TableColumns(kafka, tables, route, settings.kafka().messages());
      new Adoption(settings, tables)
          .identify(
              route.table(),
              () -> columns.keyOf(topic.ranges()),
              shape -> columns.refuseToLoseColumns(shape, topic.ranges()));
    }
    TableColumns.Resolved resolved = columns(kafka, tables, route, state, topic);
    if (state == TableState.ROWS_WITHOUT_RECORD) {
      StartOffsets.Start from = offsets(kafka, topic.ranges(), null);
      new Adoption(settings, tables)
          .adopt(resolved.definition(), start(null, from, topicIds(route.topic(), topic.id())));
      // Where to start was decided with that.
      return new Planner(settings, options.from(new StartFrom.Recorded()), restores)
          .plan(kafka, tables);
    }
    TableDescription table = ensured(tables, resolved);
    IcebergLedgerFactory ledgers = ledgers(route, table);
    CommitRecord record = table.record();
    UntouchedTable.require(tables, route.table(), ledgers, record);
    // Asked again: by now Kafka shows all that a job beside this one had read for that record.
    KafkaTopics.Topic now = kafka.topic(route.topic());
    StartOffsets.Start from = from(kafka, route, now, record);
    Progress start = start(record, from, topicIds(route.topic(), now.id()));
    return new JobPlan(
        settings.name(),
        source(route, from, options.untilCaughtUp() ? now.ends() : null),
        JobPlan.Decoding.of(
            settings, kafka, route, now.ranges().size(), table.shape(), resolved.specs()),
        new JobPlan.Table(
            new IcebergBatchWriterFactory(
                settings.catalog(), route.table(), table.shape(), table.version()),
            seed(route, table),
            () -> ledgers.open(Backoffs.commits()),
            new GateOperator.KeepSettings(
                settings.gate().keepRowsFromBytes(),
                route.rules().unknownValues() == UnknownValues.FAIL,
                table.shape().toString(),
                table.shape().keyText()),
            settings.gate().memoryBytes(),
            settings.record().interval(),
            new JobPlan.Memory(retention(), forgetting(kafka, record, from))),
        start,
        record == null ? null : record.commitId());
  }

  /** What Iceberg refuses of a new table comes from the route. */
  private static TableDescription ensured(IcebergTables tables, TableColumns.Resolved resolved) {
    try {
      return tables.ensure(resolved.definition());
    } catch (IllegalArgumentException e) {
      throw ConfigException.of(
          "routes", "the table cannot be created as the route says: " + e.getMessage());
    }
  }

  private DryRunPlan dryRun(KafkaTopics kafka, IcebergTables tables) {
    TableRoute route = OnlyRoute.of(settings, kafka);
    KafkaTopics.Topic topic = kafka.topic(route.topic());
    TableState state = state(tables, route);
    TableColumns.Resolved resolved = columns(kafka, tables, route, state, topic);
    TableDescription table =
        state == TableState.ABSENT ? null : tables.fitting(resolved.definition());
    boolean adopts = state == TableState.ROWS_WITHOUT_RECORD;
    CommitRecord record = table == null ? null : table.record();
    if (table != null && !adopts) {
      UntouchedTable.require(tables, route.table(), ledgers(route, table), record);
    }
    // Asked again: by now Kafka shows all that a job beside this one had read for that record.
    KafkaTopics.Topic now = kafka.topic(route.topic());
    StartOffsets.Start from = from(kafka, route, now, record);
    RowShape shape = table == null ? resolved.definition().shape() : table.shape();
    return new DryRunPlan(
        settings.name(),
        source(route, from, now.ends()),
        JobPlan.Decoding.of(settings, kafka, route, now.ranges().size(), shape, resolved.specs()),
        table == null
            ? null
            : adopts
                ? new Adoption(settings, tables).seed(table, route.table())
                : seed(route, table),
        start(record, from, Map.of()),
        forgetting(kafka, record, from));
  }

  private TableColumns.Resolved columns(
      KafkaTopics kafka,
      IcebergTables tables,
      TableRoute route,
      TableState state,
      KafkaTopics.Topic topic) {
    TableColumns.Resolved resolved =
        new TableColumns(kafka, tables, route, settings.kafka().messages())
            .resolve(state, topic.ranges());
    if (state == TableState.ABSENT) {
      requirePartition(resolved.definition());
    }
    return resolved;
  }

  /** Before anything is made, so that a dry run refuses what a run would. */
  private static void requirePartition(TableDefinition table) {
    String problem = IcebergTables.partitionProblem(table.shape(), table.partition());
    if (problem != null) {
      throw ConfigException.of(
          "routes.partition",
          "found "
              + table.partition()
              + ", which table "
              + table.identifier()
              + " cannot be created with: "
              + problem);
    }
  }

  private static TableState state(IcebergTables tables, TableRoute route) {
    TableState state = tables.state(route.table());
    if (state == TableState.ROWS_WITHOUT_RECORD && !route.rules().adopt()) {
      throw new RefusedException(
          "Table "
              + route.table()
              + " has rows that Tidemark did not write, and no record: which changes they stand for"
              + " is unknown. To take it over, set adopt: true in the route. Or route the topic to"
              + " another table, or drop this one");
    }
    return state;
  }

  private StartOffsets.Start from(
      KafkaTopics kafka, TableRoute route, KafkaTopics.Topic topic, @Nullable CommitRecord record) {
    if (record != null) {
      TopicIdentity.check(route.table(), route.topic(), topic.id(), record.progress());
    }
    StartOffsets.Start start = offsets(kafka, topic.ranges(), record);
    if (record != null) {
      SameLog.check(kafka, route.table(), record.progress(), topic.ranges(), start.offsets());
    }
    if (record != null && !restores) {
      AcceptedReplay.check(
          route.table(),
          record.replay(),
          start.offsets(),
          options.acceptHorizon(),
          options.acceptGaps() ? topic.ranges() : Map.of());
      if (options.acceptHorizon()) {
        ReplayedTogether.check(
            kafka, route.table(), record, topic.ranges(), start.offsets(), options.acceptGaps());
      }
    }
    if (record != null && record.horizon() != null && !options.acceptHorizon()) {
      Instant horizon = record.horizon().atStartOfDay(ZoneOffset.UTC).toInstant();
      // No record is produced before its change was made: what Kafka took before the horizon was
      // made before it. The other way round nothing is known; there the gates look.
      ReplayHorizon.check(
          route.table(),
          horizon,
          record.progress(),
          start.offsets(),
          kafka.at(topic.ranges(), horizon));
    }
    return start;
  }

  private Retention retention() {
    return new Retention(settings.tombstones().retentionDays());
  }

  private Forgetting forgetting(
      KafkaTopics kafka, @Nullable CommitRecord record, StartOffsets.Start from) {
    if (!options.acceptHorizon()) {
      return Forgetting.from(record == null ? null : record.horizon(), retention());
    }
    AcceptedReplay replay = AcceptedReplay.of(record, from.offsets());
    Map<TopicPartition, Range> again = new TreeMap<>();
    replay
        .left()
        .forEach((tp, end) -> again.put(tp, new Range(from.offsets().getOrDefault(tp, end), end)));
    return Forgetting.nothing(replay.upTo(LastReadable.ends(kafka, again)));
  }

  private IcebergLedgerFactory ledgers(TableRoute route, TableDescription table) {
    return new IcebergLedgerFactory(
        settings.catalog(), route.table(), table.version(), null, table.seen());
  }

  private JobPlan.Source source(
      TableRoute route, StartOffsets.Start from, @Nullable Map<TopicPartition, Long> until) {
    return new JobPlan.Source(
        route.topic(), KafkaTopics.consumerProperties(settings.kafka()), from.offsets(), until);
  }

  private @Nullable IcebergSeed seed(TableRoute route, TableDescription table) {
    CommitRecord record = table.record();
    return record == null
        ? null
        : IcebergSeed.of(settings.catalog(), route.table(), table.snapshot(), record);
  }

  private StartOffsets.Start offsets(
      KafkaTopics kafka, Map<TopicPartition, Range> ranges, @Nullable CommitRecord record) {
    Map<TopicPartition, Long> recorded = record == null ? null : new TreeMap<>();
    if (record != null && recorded != null) {
      record.progress().partitions().forEach((tp, p) -> recorded.put(tp, p.nextOffset()));
    }
    StartFrom from = options.from();
    StartPosition position;
    if (from instanceof StartPosition given) {
      position = given;
    } else if (recorded != null) {
      position = new StartPosition.Offsets(recorded);
    } else {
      position = settings.kafka().start();
    }
    Map<TopicPartition, Long> wanted = WantedOffsets.of(kafka, ranges, recorded, position);
    if (record != null) {
      wanted =
          StartOffsets.notBelowOrigin(
              wanted, record.progress(), position instanceof StartPosition.Offsets);
    }
    return StartOffsets.choose(ranges, recorded, wanted, options.acceptGaps());
  }

  private static Map<String, String> topicIds(String topic, @Nullable String id) {
    return id == null ? Map.of() : Map.of(topic, id);
  }

  private static Progress start(
      @Nullable CommitRecord record, StartOffsets.Start from, Map<String, String> topicIds) {
    Map<TopicPartition, PartitionProgress> partitions = new TreeMap<>();
    if (record != null) {
      partitions.putAll(record.progress().partitions());
    }
    from.offsets()
        .forEach(
            (tp, offset) -> {
              PartitionProgress known = partitions.get(tp);
              if (known != null) {
                partitions.put(tp, known.skippingTo(offset));
              } else if (record != null) {
                // It came later. The readers of all partitions must know: keys moved to those that
                // were there before, too.
                partitions.put(
                    tp, PartitionProgress.comingLateAt(offset, record.progress().newestEpoch()));
              } else {
                partitions.put(tp, PartitionProgress.startingAt(offset));
              }
            });
    Progress start = new Progress(partitions, topicIds, from.gaps());
    return record == null ? start : start.merge(record.progress());
  }
}
