package io.tidemark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.oracle.RawEvent;
import io.tidemark.sandbox.EmbeddedKafka;
import io.tidemark.script.EventScript;
import io.tidemark.script.ScriptOptions;
import io.tidemark.verify.KeptTable.Outcome;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

/** The real job keeps a table, and what is planted into it is found. */
@Timeout(300)
class VerifyCommandTest {

  private static final int PARTITIONS = 3;
  private static final String TOPIC = "shop.public.orders";

  @TempDir private static Path dir;
  private static EmbeddedKafka kafka;
  private static KeptTable kept;
  private static long firstSnapshot;

  @BeforeAll
  static void keepATable() throws IOException {
    kafka = EmbeddedKafka.start(dir.resolve("kafka"));
    kept = kept("main", TOPIC);
    List<RawEvent> events = events(TOPIC);
    kept.send(events.subList(0, events.size() / 2));
    kept.catchUp();
    firstSnapshot = kept.table().currentSnapshot().snapshotId();
    kept.send(events.subList(events.size() / 2, events.size()));
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
  void aKeptTableIsEqual() {
    Outcome outcome = kept.verify();

    assertThat(outcome.out())
        .endsWith("EQUAL: every key and column of shop.orders is what the log says.\n")
        .contains("found       " + kept.rows().size() + " rows")
        .doesNotContain("not judged");
    assertThat(outcome.err()).contains("Folding the log", "Comparing");
    assertThat(outcome.exit()).isZero();
  }

  @Test
  void anEarlierSnapshotIsComparedWithItsOwnPlaceInTheLog() {
    Outcome outcome = kept.verify("shop.orders", "--snapshot", Long.toString(firstSnapshot));

    assertThat(outcome.out()).contains("snapshot " + firstSnapshot).contains("EQUAL");
    assertThat(outcome.exit()).isZero();
  }

  @Test
  void aChangedValueIsFoundAndNotShown() {
    List<Record> rows = kept.rows();
    rows.get(0).setField("name", "secret");
    kept.compactInto(rows);

    Outcome outcome = kept.verify();
    assertThat(outcome.out())
        .contains("different rows: 1 ", "id=" + rows.get(0).getField("id") + ": name")
        .endsWith("DIFFERENT: 1 difference of 1 kind in shop.orders.\n");
    assertThat(outcome.out() + outcome.err()).doesNotContain("secret");
    assertThat(outcome.exit()).isEqualTo(1);
    assertThat(kept.verify("--values").out()).contains("name: table secret, log ");
  }

  @Test
  void aRemovedRowIsFound() {
    List<Record> rows = kept.rows();
    Record removed = rows.remove(3);
    kept.compactInto(rows);

    Outcome outcome = kept.verify("--values");
    assertThat(outcome.out())
        .contains("missing rows: 1 ", "id=" + removed.getField("id") + " (from " + TOPIC + "-")
        .contains("region: table no row, log " + removed.getField("region"));
    assertThat(outcome.exit()).isEqualTo(1);
  }

  @Test
  void rowsAppendedBySomebodyElseAreFound() {
    List<Record> rows = kept.rows();
    Record invented = rows.get(1).copy(Map.of("id", 999_999L));
    kept.append(List.of(rows.get(0), invented));

    Outcome outcome = kept.verify();
    assertThat(outcome.out())
        .contains("keys with several rows: 1 ", "  id=" + rows.get(0).getField("id") + "\n")
        .contains("extra rows: 1 ", "  id=999999\n")
        .contains("writes by others: 1 ", "(append)");
    assertThat(outcome.exit()).isEqualTo(1);
  }

  @Test
  void anOlderVersionIsFound() {
    List<Record> rows = kept.rows();
    rows.get(0)
        .setField(
            "_commit_version", "00000000-" + "0000000000000001-".repeat(3) + "0-" + "0".repeat(16));
    kept.compactInto(rows);

    assertThat(kept.verify().out())
        .contains("older rows: 1 ", "is at position 1/1/1, offset 0, the log at position ");
  }

  @Test
  void aRowOfADeletedKeyIsFound() throws IOException {
    Record tombstone = first(kept.tombstones(), kept.rows());
    Map<String, Object> ghost = new HashMap<>();
    ghost.put("id", tombstone.getField("id"));
    List<Record> rows = kept.rows();
    rows.add(rows.get(0).copy(ghost));
    kept.compactInto(rows);

    assertThat(kept.verify().out())
        .contains("rows of deleted keys: 1 ", "id=" + tombstone.getField("id"));
  }

  @Test
  void emptiedTombstonesAreFound() {
    Table tombstones = kept.tombstones();
    long before = tombstones.currentSnapshot().snapshotId();
    tombstones.newDelete().deleteFromRowFilter(Expressions.alwaysTrue()).commit();
    assertThat(kept.verify().out()).contains("writes by others: 1 ", "(delete)");

    // Whoever wants to lose them must take the tag away first.
    tombstones.manageSnapshots().removeTag("tidemark-" + before).commit();
    tombstones.expireSnapshots().expireSnapshotId(before).commit();
    Outcome outcome = kept.verify("--limit", "2");
    assertThat(outcome.out())
        .contains("missing tombstones: ", "(deleted at " + TOPIC, "  and ", "was expired");
    assertThat(outcome.exit()).isEqualTo(1);
  }

  @Test
  void aDroppedTombstoneTableIsFound() {
    KeptTable.delete(kept.warehouse().resolve("shop/orders__tombstones"));

    assertThat(kept.verify().out()).contains("missing tombstones: ");
  }

  @Test
  void aDeletedFileIsFound() throws IOException {
    Path file = kept.anyDataFile();
    Files.delete(file);

    Outcome outcome = kept.verify();
    assertThat(outcome.out()).contains("missing files: 1 ", file.toString(), "were not compared");
    assertThat(outcome.exit()).isEqualTo(1);

    Outcome job =
        KeptTable.run(List.of("run", "-c", kept.config().toString(), "--until", "caught-up"));
    assertThat(job.err())
        .startsWith("A file of table lake.shop.orders is gone: ")
        .contains(file.toString());
    assertThat(job.out()).doesNotContain("starts the job again");
    assertThat(job.exit()).isEqualTo(3);
  }

  @Test
  void aDamagedFileIsFoundAndNamedByAll() throws IOException {
    Path rows = kept.newestDataFile();
    Path list =
        Path.of(URI.create(kept.table().currentSnapshot().manifestListLocation()).getPath());
    String config = kept.config().toString();
    for (Path file : List.of(rows, list)) {
      kept.putBack();
      byte[] whole = Files.readAllBytes(file);
      Files.write(file, Arrays.copyOf(whole, whole.length - 8));
      Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));

      Outcome outcome = kept.verify();
      assertThat(outcome.out())
          .contains("damaged files: 1 ", file + ": it ", "DIFFERENT")
          .doesNotContain("missing rows", "missing tombstones");
      assertThat(outcome.exit()).isEqualTo(1);
      assertThat(kept.verify("--repair").out())
          .contains(
              "Nothing is repaired: Files are missing or damaged", "Nothing can be repaired.");
      assertThat(KeptTable.run(List.of("check", "-c", config)).exit()).isZero();
      for (List<String> command :
          List.of(
              List.of("run", "-c", config, "--until", "caught-up"),
              List.of("show", "-c", config, "shop.orders"),
              List.of("status", "-c", config, "--count"))) {
        Outcome refused = KeptTable.run(command);
        assertThat(refused.err())
            .startsWith("A file of table lake.shop.orders is damaged: ")
            .contains(file.toString(), "of snapshot ", "verify -c " + config);
        assertThat(refused.out()).doesNotContain("starts the job again");
        assertThat(refused.exit()).isEqualTo(3);
      }
      kept.table().manageSnapshots().rollbackTo(firstSnapshot).commit();
      assertIsWholeAfterARun();
    }
  }

  /** As the runbook has it for a Hadoop catalog. */
  @Test
  void aDamagedMetadataFileIsRefusedAndTheOneBeforeIsEnough() throws IOException {
    Path metadata = kept.warehouse().resolve("shop/orders/metadata");
    Path hint = metadata.resolve("version-hint.text");
    int version = Integer.parseInt(Files.readString(hint).strip());
    Path file = metadata.resolve("v" + version + ".metadata.json");
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length / 2));
    for (String command : List.of("run", "check", "status", "verify")) {
      Outcome refused = KeptTable.run(List.of(command, "-c", kept.config().toString()));
      assertThat(refused.err() + refused.out())
          .as(command)
          .contains("The metadata file of table shop.orders is damaged: ", file.toString());
      assertThat(refused.exit()).as(command).isNotZero();
    }
    Files.delete(file);
    Files.delete(metadata.resolve(".v" + version + ".metadata.json.crc"));
    Files.writeString(hint, Integer.toString(version - 1));
    Files.delete(metadata.resolve(".version-hint.text.crc"));
    assertIsWholeAfterARun();
  }

  private static void assertIsWholeAfterARun() {
    kept.catchUp();
    assertThat(kept.verify().out()).contains("EQUAL: ");
  }

  @Test
  void aLogThatHasLostItsBeginningIsComparedAsFarAsItGoes() throws Exception {
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

    Outcome outcome = late.verify();
    assertThat(outcome.out())
        .contains("lost        " + topic + "-0 begins at ")
        .containsPattern("not judged  [1-9]")
        .endsWith("EQUAL: every key and column of shop.orders is what the log still says.\n");
    assertThat(outcome.exit()).isZero();

    List<Record> rows = late.rows();
    rows.forEach(row -> row.setField("name", "changed"));
    late.compactInto(rows);
    assertThat(late.verify().out()).contains("different rows: ").contains(": name");
  }

  @Test
  void anotherClusterIsRefusedAndALogThatEndsBeforeTheRecordIsFound() throws IOException {
    EmbeddedKafka empty = EmbeddedKafka.start(dir.resolve("empty"));
    try (empty) {
      empty.createTopic(TOPIC, PARTITIONS);
      List<String> verify =
          List.of("verify", "-c", kept.config(empty.bootstrapServers()).toString());
      Outcome refused = KeptTable.run(verify);
      assertThat(refused.err())
          .contains(
              "Table shop.orders: Topic " + TOPIC + " has the id ", "the table's record names");
      assertThat(refused.out()).isEmpty();
      assertThat(refused.exit()).isEqualTo(3);

      kept.forgetTopicIds();
      Outcome outcome = KeptTable.run(verify);
      assertThat(outcome.out())
          .contains("gaps in the log: 3 ", TOPIC + "-0: the record is at ", "Kafka ends at 0");
      assertThat(outcome.exit()).isEqualTo(1);
    }
  }

  @Test
  void statusTellsTheSameTableFromItsMetadata() throws IOException {
    String config = kept.config().toString();
    Outcome outcome = KeptTable.run(List.of("status", "-c", config, "--count"));

    assertThat(outcome.out())
        .contains("rows        " + kept.rows().size() + " (counted)")
        .contains("spec 0      region")
        .contains("snapshot    " + kept.table().currentSnapshot().snapshotId())
        .contains(TOPIC + "-0", "lag         0 records")
        .doesNotContain("foreign");
    assertThat(outcome.exit()).isZero();
    String away =
        Files.readString(kept.config("127.0.0.1:1"))
            .replaceAll("topics: \\['.*']", "topics: 'shop.*'");
    Path pattern = Files.writeString(dir.resolve("away.yaml"), away);
    assertThat(KeptTable.run(List.of("status", "-c", pattern.toString(), "--timeout", "1")).out())
        .startsWith("shop.orders\n")
        .contains("kafka       away", TOPIC + "-2");
  }

  @Test
  void whatCannotBeUsedIsUsage() {
    assertThat(kept.verify("shop.order").err())
        .contains("No topic goes into table shop.order. There are: shop.orders");
    assertThat(kept.verify("shop.order").exit()).isEqualTo(2);
    assertThat(kept.verify("--snapshot", "7").err()).contains("has no snapshot 7");
    assertThat(kept.verify("--snapshot", "7").exit()).isEqualTo(2);
    assertThat(kept.verify("--limit", "-1").exit()).isEqualTo(2);
  }

  @Test
  void aBrokerThatIsAwayIsUnavailable() {
    Outcome outcome =
        KeptTable.run(
            List.of("verify", "-c", kept.config("127.0.0.1:1").toString(), "--timeout", "1"));

    assertThat(outcome.exit()).isEqualTo(3);
    assertThat(outcome.err()).contains("127.0.0.1:1").doesNotContain("\tat ");
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

  /** A tombstone whose key has no row. */
  private static Record first(Table tombstones, List<Record> rows) throws IOException {
    List<Object> live = rows.stream().map(row -> row.getField("id")).toList();
    try (var records = org.apache.iceberg.data.IcebergGenerics.read(tombstones).build()) {
      for (Record record : records) {
        if (!live.contains(record.getField("id"))) {
          return record;
        }
      }
    }
    throw new AssertionError("No key stays deleted in this script");
  }
}
