package io.tidemark.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.commit.CommitRefusedException;
import io.tidemark.commit.ForeignWriteException;
import io.tidemark.config.Settings;
import io.tidemark.config.StartPosition;
import io.tidemark.failure.RefusedException;
import io.tidemark.iceberg.Acceptance;
import io.tidemark.job.LocalJob;
import io.tidemark.job.RunOptions;
import io.tidemark.job.TableRepair;
import io.tidemark.oracle.RawEvent;
import io.tidemark.sandbox.EmbeddedKafka;
import io.tidemark.script.EventScript;
import io.tidemark.script.ScriptOptions;
import io.tidemark.verify.KeptTable.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.OverwriteFiles;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expressions;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A table that the real job keeps is damaged by others and by a bug, and put right. */
@Timeout(300)
class VerifyRepairTest {

  private static final int PARTITIONS = 3;
  private static final String TOPIC = "shop.public.orders";
  private static final String EQUAL =
      "EQUAL: every key and column of shop.orders is what the log says.\n";

  @TempDir private static Path dir;
  private static EmbeddedKafka kafka;
  private static KeptTable kept;

  @BeforeAll
  static void keepATable() throws IOException {
    kafka = EmbeddedKafka.start(dir.resolve("kafka"));
    kept = kept("main", TOPIC);
    kept.send(events(TOPIC));
    kept.catchUp();
    kept.keepCopy();
  }

  @AfterEach
  void putBack() {
    kept.putBack();
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  @Test
  void aRightTableIsLeftAlone() {
    long snapshot = current();
    Outcome outcome = kept.verify("--repair");

    assertThat(outcome.out()).endsWith(EQUAL).doesNotContain("REPAIRED");
    assertThat(outcome.exit()).isZero();
    assertThat(current()).isEqualTo(snapshot);
  }

  @Test
  void whatOthersDidIsPutRightAndAccepted() throws Exception {
    List<Record> rows = kept.rows();
    Record moved = rows.get(0).copy(Map.of("region", "elsewhere"));
    Record invented = rows.get(1).copy(Map.of("id", 999_999L));
    Record copied = rows.get(2).copy();
    Record ghost = rows.get(3).copy(Map.of("id", deletedKey()));
    rows.get(4).setField("name", "overwritten");
    rows.remove(5);
    kept.compactInto(rows);
    kept.append(List.of(moved, invented, copied, ghost));
    assertThatThrownBy(kept::catchUp).isInstanceOf(ForeignWriteException.class);
    long damaged = current();

    Outcome dry = kept.verify("--repair", "--dry-run");
    assertThat(dry.out())
        .endsWith(
            "Would be repaired: 5 changes to apply again, 1 keys to remove that the log does not have,"
                + " 0 files to refer to once.\n");
    assertThat(dry.exit()).isEqualTo(1);
    assertThat(current()).isEqualTo(damaged);

    Outcome outcome = kept.verify("--repair");
    assertThat(outcome.out()).contains("REPAIRED by commit ").endsWith(EQUAL);
    assertThat(outcome.exit()).isZero();
    assertThat(kept.table().currentSnapshot().summary())
        .containsEntry("tidemark.accepted-snapshot", Long.toString(damaged));
    assertThat(kept.verify().out()).endsWith(EQUAL);
    goesOn();
  }

  @Test
  void aFileThatWasAddedAgainIsReferredToOnce() {
    Table table = kept.table();
    var again = table.newAppend();
    table.newScan().planFiles().forEach(task -> again.appendFile(task.file()));
    again.commit();
    assertThat(kept.verify().out()).contains("files referred to twice: ", "keys with several rows");

    Outcome outcome = kept.verify("--repair");
    assertThat(outcome.out()).endsWith(EQUAL);
    assertThat(outcome.exit()).isZero();
    goesOn();
  }

  /** Nothing of this is foreign: the wrong rows have a record of their own. */
  @Test
  void whatABugOfOursCommittedIsPutRight() {
    List<Record> rows = kept.rows();
    rows.get(0).setField("name", "wrong");
    rows.get(1)
        .setField(
            "_commit_version", "ffffffff-" + "0000000000000001-".repeat(3) + "0-" + "0".repeat(16));
    rows.add(rows.get(2).copy(Map.of("region", "twice")));
    rows.add(rows.get(3).copy(Map.of("id", deletedKey())));
    rows.remove(4);
    Table table = kept.table();
    Map<String, String> record = new HashMap<>();
    table
        .currentSnapshot()
        .summary()
        .forEach(
            (name, value) -> {
              if (name.startsWith("tidemark.")) {
                record.put(name, value);
              }
            });
    record.put("tidemark.parent", String.valueOf(record.get("tidemark.commit-id")));
    record.put("tidemark.commit-id", UUID.randomUUID().toString());
    OverwriteFiles bug = table.newOverwrite().overwriteByRowFilter(Expressions.alwaysTrue());
    kept.write(rows).forEach(bug::addFile);
    record.forEach(bug::set);
    bug.commit();

    Outcome outcome = kept.verify("--repair");
    assertThat(outcome.out())
        .contains("different rows: 1 ", "newer rows: 1 ", "keys with several rows: 1 ")
        .contains("rows of deleted keys: 1 ", "missing rows: 1 ")
        .doesNotContain("writes by others")
        .endsWith(EQUAL);
    assertThat(outcome.exit()).isZero();
    goesOn();
  }

  @Test
  void emptiedTombstonesComeBack() {
    Table tombstones = kept.tombstones();
    long before = tombstones.currentSnapshot().snapshotId();
    tombstones.newDelete().deleteFromRowFilter(Expressions.alwaysTrue()).commit();
    assertThat(kept.verify("--repair").out()).contains("writes by others: 1 ").endsWith(EQUAL);
    assertThat(kept.tombstones().currentSnapshot().snapshotId()).isEqualTo(before);

    tombstones = kept.tombstones();
    tombstones.newDelete().deleteFromRowFilter(Expressions.alwaysTrue()).commit();
    tombstones.manageSnapshots().removeTag("tidemark-" + before).commit();
    tombstones.expireSnapshots().expireSnapshotId(before).commit();
    assertThat(kept.verify("--repair").out()).contains("missing tombstones: ").endsWith(EQUAL);
    goesOn();
  }

  /** All of them may still be there: the snapshot that the record names is not. */
  @Test
  void tombstonesThatNoRecordNamesAnyMoreAreRefusedAndComparedAndNamedAgain() {
    Table tombstones = kept.tombstones();
    long before = tombstones.currentSnapshot().snapshotId();
    tombstones.rewriteManifests().clusterBy(file -> 0).commit();
    tombstones.updateProperties().remove("tidemark.record").commit();
    tombstones.manageSnapshots().removeTag("tidemark-" + before).commit();
    tombstones.expireSnapshots().expireSnapshotId(before).commit();

    assertThatThrownBy(kept::catchUp)
        .isInstanceOf(CommitRefusedException.class)
        .hasMessageContaining("snapshot " + before + " of ");
    assertThat(kept.verify().out()).contains("writes by others: 1 ", "The tombstones that belong");
    assertThat(kept.verify("--repair").out()).contains("writes by others: 1 ").endsWith(EQUAL);
    goesOn();
  }

  @Test
  void aDroppedTombstoneTableComesBack() {
    KeptTable.delete(kept.warehouse().resolve("shop/orders__tombstones"));

    assertThat(kept.verify("--repair").out()).contains("missing tombstones: ").endsWith(EQUAL);
  }

  @Test
  void aRepairThatIsKilledBeforeItsCommitChangesNothing() throws Exception {
    Settings settings = Settings.read(kept.config());
    long before = current();
    Acceptance compared = new Acceptance(before, null, List.of());
    try (TableRepair killed =
            TableRepair.open(
                settings, settings.routes(List.of(TOPIC)).get(0), commitId(), compared);
        LogReader log = new LogReader(settings.kafka(), Duration.ofSeconds(30))) {
      log.records(
          List.of(new LogReader.Part(TOPIC, 0, 0, 1)),
          record -> {
            try {
              killed.reapply(record);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          },
          passed -> {});
    }
    assertThat(current()).isEqualTo(before);
    assertThat(kept.verify().out()).endsWith(EQUAL);
  }

  /** The tombstones of its commit are there, the commit is not. */
  @Test
  void aRepairThatIsKilledInTheMiddleOfItsCommitIsMadeAgain() {
    List<Record> rows = kept.rows();
    kept.append(List.of(rows.get(3).copy(Map.of("id", deletedKey()))));
    kept.keepCopy("orders");
    assertThat(kept.verify("--repair").out()).endsWith(EQUAL);
    kept.putBack("orders");

    assertThat(kept.verify("--repair").out())
        .contains("rows of deleted keys: 1 ", "writes by others: 1 ")
        .endsWith(EQUAL);
  }

  @Test
  void aRepairOfWhatHasMovedIsRefused() {
    Settings settings = Settings.read(kept.config());
    Acceptance compared = new Acceptance(current(), null, List.of());

    assertThatThrownBy(
            () ->
                TableRepair.open(
                    settings, settings.routes(List.of(TOPIC)).get(0), "another", compared))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("was committed to since it was compared");
  }

  @Test
  void whatTheLogDoesNotSayForCertainIsLeft() throws Exception {
    String topic = "late.public.orders";
    KeptTable late = kept("late", topic);
    List<RawEvent> events = events(topic);
    late.send(events);
    late.catchUp();
    Map<TopicPartition, RecordsToDelete> gone = new HashMap<>();
    kafka
        .endOffsets(topic)
        .forEach(
            (partition, end) ->
                gone.put(
                    new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(end / 2)));
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.deleteRecords(gone).all().get();
    }
    List<Record> rows = late.rows();
    rows.forEach(row -> row.setField("name", "changed"));
    late.compactInto(rows);

    Outcome outcome = late.verify("--repair");
    assertThat(outcome.out())
        .contains("REPAIRED by commit ")
        .endsWith("EQUAL: every key and column of shop.orders is what the log still says.\n");
    assertThat(late.rows().stream().filter(row -> "changed".equals(row.getField("name"))))
        .isNotEmpty(); // those that only the lost part could tell

    rows = late.rows();
    long whole = late.table().currentSnapshot().snapshotId();
    late.overwriteWith(rows.stream().filter(r -> !"changed".equals(r.getField("name"))).toList());
    outcome = late.verify("--repair"); // each row that is left is known, and others are not there
    assertThat(outcome.out())
        .contains("Nothing is repaired: Somebody else wrote, and not every key can be compared");
    late.table().manageSnapshots().setCurrentSnapshot(whole).commit();

    Record newest = rows.stream().max(Comparator.comparing(VerifyRepairTest::offset)).orElseThrow();
    rows.add(newest.copy(Map.of("id", 888_888L)));
    late.compactInto(rows);
    outcome = late.verify("--repair");
    assertThat(outcome.out())
        .contains(
            "extra rows: 1 ", "Left as they are: keys that the log does not have, 1 of them: ")
        .endsWith("Nothing can be repaired.\n");
    assertThat(outcome.exit()).isEqualTo(1);
    assertThat(late.rows()).hasSize(rows.size());

    late.append(List.of(rows.get(0).copy(Map.of("id", 999_999L))));
    long damaged = late.table().currentSnapshot().snapshotId();
    outcome = late.verify("--repair");
    assertThat(outcome.out())
        .contains("Nothing is repaired: Somebody else wrote, and not every key can be compared")
        .contains("a run into a new table, once the source has sent a new snapshot: ")
        .endsWith("Nothing can be repaired.\n");
    assertThat(outcome.exit()).isEqualTo(1);
    assertThat(late.table().currentSnapshot().snapshotId()).isEqualTo(damaged);
  }

  @Test
  void aTableWithoutAFileIsNotRepaired() throws IOException {
    Files.delete(kept.anyDataFile());
    Outcome outcome = kept.verify("--repair");

    assertThat(outcome.out()).contains("Nothing is repaired: Files are missing");
    assertThat(outcome.exit()).isEqualTo(1);
  }

  @Test
  void optionsThatDoNotGoTogetherAreUsage() {
    assertThat(kept.verify("--repair", "--snapshot", "7").exit()).isEqualTo(2);
    assertThat(kept.verify("--dry-run").exit()).isEqualTo(2);
  }

  /** A job starts on it, reads the whole topic again, and nothing changes. */
  private static void goesOn() {
    long repaired = current();
    try (LocalJob job =
        LocalJob.start(
            Settings.read(kept.config()),
            RunOptions.catchUp().from(new StartPosition.Earliest()))) {
      job.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    assertThat(kept.verify().out()).endsWith(EQUAL);
    assertThat(current()).isEqualTo(repaired);
  }

  private static long current() {
    return kept.table().currentSnapshot().snapshotId();
  }

  private static String commitId() {
    for (org.apache.iceberg.Snapshot snapshot :
        org.apache.iceberg.util.SnapshotUtil.currentAncestors(kept.table())) {
      String id = snapshot.summary().get("tidemark.commit-id");
      if (id != null) {
        return id;
      }
    }
    throw new AssertionError("no record");
  }

  private static String offset(Record row) {
    String version = row.getField("_commit_version").toString();
    return version.substring(version.lastIndexOf('-'));
  }

  private static long deletedKey() {
    List<Object> live = kept.rows().stream().map(row -> row.getField("id")).toList();
    return kept.rowsOf(kept.tombstones()).stream()
        .map(row -> row.getField("id"))
        .filter(id -> !live.contains(id))
        .mapToLong(id -> (Long) id)
        .findFirst()
        .orElseThrow();
  }

  private static KeptTable kept(String name, String topic) throws IOException {
    return new KeptTable(kafka, Files.createDirectories(dir.resolve(name)), topic, PARTITIONS);
  }

  private static List<RawEvent> events(String topic) {
    return EventScript.of(
            ScriptOptions.of(5)
                .topic(topic)
                .partitions(PARTITIONS)
                .size(60, 300)
                .resnapshots(1)
                .ties(0.1)
                .repeated(1, 10, 0))
        .events();
  }
}
