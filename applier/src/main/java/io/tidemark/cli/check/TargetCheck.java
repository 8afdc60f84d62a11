package io.tidemark.cli.check;

import io.tidemark.change.TopicPartition;
import io.tidemark.cli.check.KafkaView.OffsetRange;
import io.tidemark.commit.AcceptedReplay;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.CommitRefusedException;
import io.tidemark.commit.ForeignWriteException;
import io.tidemark.commit.NewEpoch;
import io.tidemark.commit.TopicIdentity;
import io.tidemark.config.TableRoute;
import io.tidemark.iceberg.IcebergTables;
import io.tidemark.iceberg.TableDefinition;
import io.tidemark.iceberg.TableDescription;
import io.tidemark.iceberg.TableFacts;
import io.tidemark.iceberg.TableMismatchException;
import io.tidemark.iceberg.TableState;
import io.tidemark.row.RowShape;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Whether the table can take what comes, and Kafka still has what the table needs next. */
final class TargetCheck {
  private static final String TABLE = "table";
  private static final String OFFSETS = "offsets";

  private final CheckReport report;
  private final TableRoute route;

  /**
   * What is in the table's place.
   *
   * @param description null if there is no table, or none that can be kept
   */
  record Target(TableState state, @Nullable TableDescription description) {}

  TargetCheck(CheckReport report, TableRoute route) {
    this.report = report;
    this.route = route;
  }

  Target look(CatalogView catalog) {
    TableState state = catalog.state(route.table());
    if (state == TableState.ABSENT) {
      return new Target(state, null);
    }
    try {
      return new Target(state, catalog.describe(route.table()));
    } catch (TableMismatchException e) {
      if (state == TableState.ROWS_WITHOUT_RECORD
          && route.rules().adopt()
          && e.mismatches().equals(List.of(IcebergTables.NO_IDENTIFIER_FIELDS))) {
        report.ok(TABLE, route.table() + " has no identifier fields: the run sets them");
        return new Target(state, null);
      }
      e.mismatches()
          .forEach(
              mismatch ->
                  report.fail(
                      TABLE,
                      route.table() + ": " + mismatch,
                      "alter the table, or name another in the route"));
      return new Target(state, null);
    }
  }

  /**
   * Says what it comes to.
   *
   * @param shape of the rows that come; null if it is not known
   */
  void judge(KafkaView kafka, CatalogView catalog, Target target, @Nullable RowShape shape) {
    switch (target.state()) {
      case ABSENT -> absent(shape);
      case EMPTY -> report.ok(TABLE, route.table() + " exists and has no snapshot");
      case HAS_RECORD -> record(kafka, catalog);
      case ROWS_WITHOUT_RECORD -> withoutRecord();
    }
    if (target.description() != null) {
      fit(catalog, target);
    }
  }

  private void withoutRecord() {
    String rows = route.table() + " has rows that Tidemark did not write, and no record";
    if (route.rules().adopt()) {
      report.ok(TABLE, rows + ": the run adopts it");
    } else {
      report.fail(
          TABLE,
          rows,
          "set adopt: true in the route to take it over; or name another table in the route, or"
              + " move this one away");
    }
  }

  private void absent(@Nullable RowShape shape) {
    if (shape == null) {
      report.fail(
          TABLE,
          route.table()
              + " does not exist, and neither messages nor configuration tell its columns",
          "give the route columns and key, create the table, or set the converter's"
              + " schemas.enable=true");
      return;
    }
    String problem = IcebergTables.partitionProblem(shape, route.rules().partition());
    if (problem != null) {
      report.fail(TABLE, "routes.partition: " + problem, "correct the route's partition");
      return;
    }
    report.ok(
        TABLE,
        route.table()
            + " does not exist: the run creates it with "
            + shape.columns().size()
            + " columns");
  }

  private void fit(CatalogView catalog, Target target) {
    TableDescription description = Objects.requireNonNull(target.description());
    String scheme = description.versionScheme();
    String wanted = route.rules().versionScheme().toString();
    if (scheme != null && !scheme.equals(wanted)) {
      report.fail(
          TABLE,
          route.table() + " was created with version: " + scheme + ", the route says " + wanted,
          "set the route's version to " + scheme + ": versions of two schemes do not compare");
    }
    List<String> mismatches =
        catalog.mismatches(
            new TableDefinition(
                route.table(),
                description.shape(),
                route.rules().partition(),
                route.rules().properties(),
                scheme == null ? wanted : scheme,
                "",
                target.state() == TableState.ROWS_WITHOUT_RECORD && route.rules().adopt()));
    partition(catalog, description.shape());
    for (String mismatch : mismatches) {
      report.fail(TABLE, route.table() + ": " + mismatch, "alter the table, or name another");
    }
  }

  /** A run creates a table as the route says, and leaves one that exists as it is. */
  private void partition(CatalogView catalog, RowShape shape) {
    List<String> wanted = route.rules().partition();
    TableFacts facts = catalog.facts(route.table());
    if (wanted.isEmpty() || facts == null) {
      return;
    }
    String found = facts.specs().getOrDefault(facts.defaultSpec(), "");
    String expected;
    try {
      expected = IcebergTables.partitionText(shape, wanted);
    } catch (RuntimeException e) {
      expected = "nothing that the table has (" + e.getMessage() + ")";
    }
    if (!found.equals(expected)) {
      report.warn(
          TABLE,
          route.table() + " has the partitioning " + found + ", the route says " + expected,
          "a table that exists keeps its own: correct routes.partition, or change the table's"
              + " partitioning with your engine");
    }
  }

  private void record(KafkaView kafka, CatalogView catalog) {
    CommitRecord record;
    try {
      record = catalog.record(route.table());
      if (record != null) {
        catalog.requireTombstones(route.table(), record);
      }
    } catch (ForeignWriteException | CommitRefusedException e) {
      report.fail(TABLE, String.valueOf(e.getMessage()), "see docs/recovery.md");
      return;
    }
    if (record == null) {
      return;
    }
    report.ok(TABLE, route.table() + " goes on from commit " + record.commitId());
    TableFacts facts = catalog.facts(route.table());
    if (facts != null && facts.unseen() != null) {
      report.warn(
          TABLE,
          "snapshots of " + route.table() + ", " + facts.unseen() + ", were expired",
          "if somebody else wrote rows in them verify tells it; see docs/recovery.md");
    }
    if (!record.replay().isEmpty()) {
      report.warn(
          TABLE,
          route.table()
              + " is in the middle of a replay with --accept-horizon: rows of forgotten keys are in"
              + " it until that is through",
          "let the job that does it go on; if there is none: "
              + AcceptedReplay.command(record.replay()));
    }
    String other = TopicIdentity.problem(route.topic(), kafka.id(route.topic()), record.progress());
    if (other != null) {
      report.fail(
          OFFSETS,
          other,
          "correct kafka.bootstrap.servers; or begin an epoch with the topic ("
              + NewEpoch.command(new TopicPartition(route.topic(), 0), 0, true)
              + "), or name a new table in the route");
      return;
    }
    Map<TopicPartition, OffsetRange> ranges = kafka.ranges(Set.of(route.topic()));
    Map<TopicPartition, Long> needed = new TreeMap<>();
    ranges.keySet().forEach(tp -> needed.put(tp, 0L)); // of one that came later all is needed
    record.progress().partitions().forEach((tp, known) -> needed.put(tp, known.nextOffset()));
    boolean good = true;
    for (Map.Entry<TopicPartition, Long> entry : needed.entrySet()) {
      good &= inRange(entry.getKey(), entry.getValue(), ranges.get(entry.getKey()));
    }
    if (good && sameLog(kafka, record)) {
      report.ok(OFFSETS, "Kafka has all that follows the table's record");
    }
  }

  private boolean sameLog(KafkaView kafka, CommitRecord record) {
    List<String> others = kafka.otherRecords(route.topic(), record.progress());
    for (String other : others) {
      report.fail(
          OFFSETS,
          other + ": the end of the partition was lost and written anew",
          "read all that Kafka has with run --from earliest; see docs/recovery.md");
    }
    return others.isEmpty();
  }

  private boolean inRange(TopicPartition partition, long next, @Nullable OffsetRange range) {
    String need = "the table's record needs " + partition + " from offset " + next;
    if (range == null) {
      report.fail(
          OFFSETS,
          need + ", and Kafka has no such partition",
          "read the topic that the table was made from, or name another table");
      return false;
    }
    if (next < range.earliest()) {
      report.fail(
          OFFSETS,
          need + ", and Kafka's oldest is " + range.earliest(),
          "changes are lost: take a new snapshot at the source, into a new table; or go on without"
              + " them with run --accept-gap");
      return false;
    }
    if (next > range.latest()) {
      report.fail(
          OFFSETS,
          need + ", and Kafka ends at " + range.latest(),
          "the topic was created anew or lost records: start a new table");
      return false;
    }
    return true;
  }
}
