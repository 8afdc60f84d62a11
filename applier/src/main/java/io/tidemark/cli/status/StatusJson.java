package io.tidemark.cli.status;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.change.Epoch;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.Gap;
import io.tidemark.iceberg.TableFacts;
import io.tidemark.iceberg.TableFacts.SnapshotFacts;
import java.time.Instant;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Says how a table stands, for programs. What is not known is null. */
public final class StatusJson {

  private static final ObjectMapper JSON = new ObjectMapper();

  private StatusJson() {}

  /**
   * One object, on one line.
   *
   * @param typed makes a message what it is for this configuration
   */
  public static String of(TableStatus status, UnaryOperator<String> typed) {
    ObjectNode json = JSON.createObjectNode();
    json.put("table", status.table()).put("topic", status.topic());
    TableFacts facts = status.facts();
    json.put("exists", facts != null);
    json.put("rows", status.liveRows()).put("recorded-rows", status.recordedRows());
    if (facts != null) {
      facts(json, status, facts);
    }
    Instant newest = status.newestSourceTime().orElse(null);
    json.put("newest-source-time", newest == null ? null : newest.toString());
    json.put("freshness-seconds", seconds(status, newest));
    json.put("kafka-problem", said(status.kafkaProblem(), typed));
    json.put("topic-problem", said(status.topicProblem(), typed));
    json.put("lag", status.lag());
    ArrayNode partitions = json.putArray("partitions");
    for (TableStatus.Partition partition : status.partitions()) {
      partitions
          .addObject()
          .put("topic", partition.id().topic())
          .put("partition", partition.id().partition())
          .put("recorded", partition.recorded())
          .put("earliest", partition.earliest())
          .put("latest", partition.latest())
          .put("lag", partition.lag())
          .put("problem", partition.problem());
    }
    return json.toString();
  }

  private static void facts(ObjectNode json, TableStatus status, TableFacts facts) {
    json.put("format-version", facts.formatVersion()).put("default-spec", facts.defaultSpec());
    ObjectNode specs = json.putObject("specs");
    new TreeMap<>(facts.specs()).forEach((id, spec) -> specs.put(id.toString(), spec));
    json.set("snapshot", snapshot(facts.current()));
    json.set("tombstones", snapshot(facts.tombstones()));
    json.put("tombstone-days", facts.tombstoneDays());
    json.put("foreign", facts.foreign());
    json.put("unseen", facts.unseen());
    TableFacts.OwnCommit commit = facts.commit();
    if (commit == null) {
      json.putNull("commit");
      return;
    }
    CommitRecord record = commit.record();
    Instant at = commit.at();
    ArrayNode gaps = json.putArray("gaps");
    for (Gap gap : new TreeSet<>(record.progress().gaps())) {
      gaps.addObject()
          .put("topic", gap.partition().topic())
          .put("partition", gap.partition().partition())
          .put("from", gap.from())
          .put("to", gap.to());
    }
    ArrayNode replay = json.putArray("replay");
    new TreeMap<>(record.replay())
        .forEach(
            (partition, first) ->
                replay
                    .addObject()
                    .put("topic", partition.topic())
                    .put("partition", partition.partition())
                    .put("from", first));
    ArrayNode epochs = json.putArray("epochs");
    new TreeMap<>(record.progress().partitions())
        .forEach(
            (partition, known) -> {
              for (Epoch epoch : known.epochs()) {
                if (epoch.number() > 0) {
                  epochs
                      .addObject()
                      .put("topic", partition.topic())
                      .put("partition", partition.partition())
                      .put("epoch", epoch.number())
                      .put("from", epoch.start());
                }
              }
            });
    json.putObject("commit")
        .put("id", record.commitId())
        .put("at", at == null ? null : at.toString())
        .put("age-seconds", seconds(status, at))
        .put("incarnation", record.incarnation())
        .put("checkpoint", record.checkpoint())
        .put("horizon", record.horizon() == null ? null : record.horizon().toString())
        .put("upserts", record.stats().upserts())
        .put("deletes", record.stats().deletes());
  }

  private static @Nullable String said(@Nullable String problem, UnaryOperator<String> typed) {
    return problem == null ? null : typed.apply(problem);
  }

  private static @Nullable ObjectNode snapshot(@Nullable SnapshotFacts snapshot) {
    if (snapshot == null) {
      return null;
    }
    // The id as text: many readers of JSON round numbers of more than 53 bits.
    return JSON.createObjectNode()
        .put("id", Long.toString(snapshot.id()))
        .put("at", snapshot.at().toString())
        .put("records", snapshot.records())
        .put("data-files", snapshot.dataFiles())
        .put("delete-files", snapshot.deleteFiles())
        .put("equality-deletes", snapshot.equalityDeletes())
        .put("position-deletes", snapshot.positionDeletes())
        .put("bytes", snapshot.bytes());
  }

  private static @Nullable Long seconds(TableStatus status, @Nullable Instant at) {
    return at == null ? null : Math.max(0, status.age(at).toSeconds());
  }
}
