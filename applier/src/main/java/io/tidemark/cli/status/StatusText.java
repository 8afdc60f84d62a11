package io.tidemark.cli.status;

import io.tidemark.change.Epoch;
import io.tidemark.change.PartitionProgress;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.CommitRecord;
import io.tidemark.iceberg.TableFacts;
import io.tidemark.iceberg.TableFacts.SnapshotFacts;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says how a table stands, for people. */
public final class StatusText {

  private static final String UNKNOWN = "?";

  private final UnaryOperator<String> typed;
  private final PrintWriter out;

  /**
   * Prints to {@code out}.
   *
   * @param typed makes a message what it is for this configuration
   */
  public StatusText(UnaryOperator<String> typed, PrintWriter out) {
    this.typed = typed;
    this.out = out;
  }

  /** Prints one table. */
  public void print(TableStatus status) {
    out.println(status.table());
    TableFacts facts = status.facts();
    if (facts == null) {
      line("table", "there is none yet");
    } else {
      facts(status, facts);
    }
    partitions(status);
    out.flush();
  }

  private void facts(TableStatus status, TableFacts facts) {
    SnapshotFacts current = facts.current();
    Long counted = status.liveRows();
    Long recorded = status.recordedRows();
    if (counted != null && recorded != null && !counted.equals(recorded)) {
      line("rows", number(counted) + " (counted; the record says " + number(recorded) + ")");
    } else if (counted != null) {
      line("rows", number(counted) + " (counted)");
    } else if (recorded != null) {
      line("rows", number(recorded) + " (by the record)");
    }
    if (current == null) {
      line("snapshot", "none yet");
    } else {
      line(
          "records",
          number(current.records())
              + " in data files, with those that deletes hide"
              + (status.liveRows() == null ? " (--count counts the rows)" : ""));
      line(
          "files",
          "%s data files, %s delete files, %s bytes"
              .formatted(
                  number(current.dataFiles()),
                  number(current.deleteFiles()),
                  number(current.bytes())));
      line(
          "deletes",
          "%s equality deletes, %s position deletes"
              .formatted(number(current.equalityDeletes()), number(current.positionDeletes())));
      line("snapshot", current.id() + ", " + ago(status, current.at()));
    }
    SnapshotFacts tombstones = facts.tombstones();
    line(
        "tombstones",
        tombstones == null
            ? "none"
            : "%s of %d days in %s files"
                .formatted(
                    number(tombstones.records()),
                    facts.tombstoneDays(),
                    number(tombstones.dataFiles())));
    TableFacts.OwnCommit own = facts.commit();
    if (own != null) {
      LocalDate horizon = own.record().horizon();
      line(
          "horizon",
          horizon == null
              ? "none yet: all deleted keys are remembered"
              : horizon + ": keys that were deleted more than a day before may be forgotten");
    }
    line(
        "format",
        "version " + (facts.formatVersion() == null ? UNKNOWN : facts.formatVersion().toString()));
    new TreeMap<>(facts.specs())
        .forEach(
            (id, spec) ->
                line("spec " + id, spec + (id == facts.defaultSpec() ? "" : " (of older files)")));
    commit(status, facts);
  }

  private void commit(TableStatus status, TableFacts facts) {
    TableFacts.OwnCommit commit = facts.commit();
    if (commit == null) {
      line("commit", "none: the table has no record of Tidemark");
    } else {
      CommitRecord record = commit.record();
      Instant at = commit.at();
      line(
          "commit",
          record.commitId() + (at == null ? ", its snapshot was expired" : ", " + ago(status, at)));
      line("", "incarnation " + record.incarnation() + ", checkpoint " + record.checkpoint());
      line(
          "",
          "wrote %s rows, deleted %s"
              .formatted(number(record.stats().upserts()), number(record.stats().deletes())));
      line(
          "freshness",
          status
              .newestSourceTime()
              .map(time -> "the newest change in the table was made " + ago(status, time))
              .orElse("unknown: the changes carry no source time"));
    }
    if (commit != null) {
      epochs(commit.record());
    }
    if (commit != null && !commit.record().progress().gaps().isEmpty()) {
      line(
          "gaps",
          commit.record().progress().gaps().stream()
                  .sorted()
                  .map(gap -> gap.partition() + " offsets " + gap.from() + " to " + gap.to())
                  .collect(Collectors.joining(", "))
              + ": left out by --accept-gap");
    }
    if (commit != null && !commit.record().replay().isEmpty()) {
      line(
          "replay",
          new TreeMap<>(commit.record().replay())
                  .entrySet().stream()
                      .map(first -> first.getKey() + " from offset " + first.getValue())
                      .collect(Collectors.joining(", "))
              + ": under way with --accept-horizon; rows of forgotten keys are in the table until"
              + " it is through");
    }
    if (facts.foreign() != null) {
      line("foreign", "somebody else made " + facts.foreign());
    }
    if (facts.unseen() != null) {
      line("unseen", "snapshots, " + facts.unseen() + ", were expired: verify compares every key");
    }
  }

  private void epochs(CommitRecord record) {
    String title = "epochs";
    for (Map.Entry<TopicPartition, PartitionProgress> partition :
        new TreeMap<>(record.progress().partitions()).entrySet()) {
      Epoch newest = partition.getValue().last();
      if (newest.number() > 0) {
        line(
            title,
            "%s is in epoch %d from offset %d"
                .formatted(partition.getKey(), newest.number(), newest.start()));
        title = "";
      }
    }
  }

  private void partitions(TableStatus status) {
    if (status.kafkaProblem() != null) {
      line("kafka", typed.apply("away, so the lag is unknown: " + status.kafkaProblem()));
    }
    if (status.topicProblem() != null) {
      line(
          "topic",
          typed.apply(status.topicProblem() + ": ./tidemark check -c FILE says what to do"));
    }
    List<String[]> rows = new ArrayList<>();
    rows.add(new String[] {"partition", "recorded", "end", "lag", ""});
    for (TableStatus.Partition partition : status.partitions()) {
      String problem = partition.problem();
      if (partition.latest() == null
          && status.kafkaProblem() == null
          && status.topicProblem() == null) {
        problem = "Kafka has no such partition";
      }
      rows.add(
          new String[] {
            partition.id().toString(),
            partition.recorded() == null ? "none" : number(partition.recorded()),
            number(partition.latest()),
            number(partition.lag()),
            problem == null ? "" : problem
          });
    }
    if (rows.size() == 1) {
      line("partitions", "none known of topic " + status.topic());
      return;
    }
    table(rows);
    line("lag", status.lag() == null ? "unknown" : number(status.lag()) + " records");
  }

  private void table(List<String[]> rows) {
    int[] widths = new int[4];
    for (String[] row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder("  ").append(row[0]);
      line.append(" ".repeat(widths[0] - row[0].length()));
      for (int i = 1; i < widths.length; i++) {
        line.append("  ").append(" ".repeat(widths[i] - row[i].length())).append(row[i]);
      }
      out.println(line.append("  ").append(row[4]).toString().stripTrailing());
    }
  }

  private void line(String name, String text) {
    out.println(String.format(Locale.ROOT, "  %-11s %s", name, text).stripTrailing());
  }

  private static String number(@Nullable Long value) {
    return value == null ? UNKNOWN : String.format(Locale.ROOT, "%,d", value);
  }

  private static String ago(TableStatus status, Instant at) {
    return text(status.age(at)) + " ago";
  }

  /** A time in its two largest units; less than nothing, where clocks differ, is none. */
  static String text(Duration age) {
    long seconds = Math.max(0, age.toSeconds());
    if (seconds < 60) {
      return seconds + " s";
    }
    if (seconds < 3600) {
      return seconds / 60 + " min " + seconds % 60 + " s";
    }
    if (seconds < 86_400) {
      return seconds / 3600 + " h " + seconds % 3600 / 60 + " min";
    }
    return seconds / 86_400 + " d " + seconds % 86_400 / 3600 + " h";
  }
}
