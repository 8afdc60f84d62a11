package io.tidemark.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.TopicPartition;
import io.tidemark.commit.BatchStats;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.Gap;
import io.tidemark.commit.LiveRows;
import io.tidemark.commit.Progress;
import io.tidemark.iceberg.TableFacts;
import io.tidemark.iceberg.TableFacts.OwnCommit;
import io.tidemark.iceberg.TableFacts.SnapshotFacts;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusFormatsTest {
  private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
  private static final String TOPIC = "shop.public.orders";

  @Test
  void aKeptTableForPeople() {
    assertThat(text(status(facts(), 1000L, null, kept())))
        .isEqualTo(
            """
            public.orders
              rows        1,000 (counted; the record says 1,001)
              records     1,200 in data files, with those that deletes hide
              files       8 data files, 3 delete files, 123,456 bytes
              deletes     210 equality deletes, 0 position deletes
              snapshot    77, 5 s ago
              tombstones  40 of 2 days in 2 files
              horizon     2026-09-01: keys that were deleted more than a day before may be forgotten
              format      version 2
              spec 0      unpartitioned (of older files)
              spec 1      bucket(16, id)
              commit      c-1, 1 min 5 s ago
                          incarnation i-1, checkpoint 12
                          wrote 90 rows, deleted 10
              freshness   the newest change in the table was made 1 min 7 s ago
              partition             recorded    end  lag
              shop.public.orders-0     1,200  1,500  300
              shop.public.orders-1       100    101    1
              lag         301 records
            """);
  }

  @Test
  void aKeptTableForPrograms() {
    assertThat(StatusJson.of(status(facts(), null, null, kept()), text -> text))
        .isEqualTo(
            """
            {"table":"public.orders","topic":"shop.public.orders","exists":true,"rows":null,"recorded-rows":1001,
            "format-version":2,"default-spec":1,"specs":{"0":"unpartitioned","1":"bucket(16, id)"},
            "snapshot":{"id":"77","at":"2026-01-31T11:59:55Z","records":1200,"data-files":8,
            "delete-files":3,"equality-deletes":210,"position-deletes":0,"bytes":123456},
            "tombstones":{"id":"7","at":"2026-01-31T11:59:54Z","records":40,"data-files":2,
            "delete-files":0,"equality-deletes":0,"position-deletes":0,"bytes":99},"tombstone-days":2,"foreign":null,"unseen":null,
            "gaps":[],"replay":[],"epochs":[],"commit":{"id":"c-1","at":"2026-01-31T11:58:55Z","age-seconds":65,"incarnation":"i-1",
            "checkpoint":12,"horizon":"2026-09-01","upserts":90,"deletes":10},
            "newest-source-time":"2026-01-31T11:58:52.500Z","freshness-seconds":67,
            "kafka-problem":null,"topic-problem":null,"lag":301,
            "partitions":[{"topic":"shop.public.orders","partition":0,"recorded":1200,"earliest":0,
            "latest":1500,"lag":300,"problem":null},
            {"topic":"shop.public.orders","partition":1,"recorded":100,"earliest":0,"latest":101,
            "lag":1,"problem":null}]}
            """
                .replace("\n", ""));
  }

  @Test
  void withoutABrokerTheLagIsUnknown() {
    TableStatus status =
        status(facts(), null, "no broker answered", List.of(part(0, 7L, null, null)));

    assertThat(text(status))
        .contains("  kafka       away, so the lag is unknown: no broker answered\n")
        .contains("shop.public.orders-0         7    ?    ?\n")
        .endsWith("  lag         unknown\n");
    assertThat(StatusJson.of(status, text -> text)).contains("\"lag\":null", "\"latest\":null");
  }

  @Test
  void offsetsThatKafkaDoesNotHaveAreNamed() {
    TableStatus status =
        status(
            facts(),
            null,
            null,
            List.of(part(0, 7L, 9L, 20L), part(1, 30L, 0L, 20L), part(2, 4L, null, null)));

    assertThat(text(status))
        .contains("offsets 7 to 8 are gone from Kafka")
        .contains("the record is beyond Kafka's end")
        .contains("Kafka has no such partition");
  }

  @Test
  void offsetsOfAnotherTopicAreNotComparedWithItsEnds() {
    TableStatus status =
        new TableStatus(
            TOPIC,
            "public.orders",
            facts(),
            null,
            null,
            "Topic T has the id A, the table's record names B",
            List.of(part(0, 7L, null, null)),
            NOW);

    assertThat(text(status))
        .contains(
            "  topic       Topic T has the id A, the table's record names B: ./tidemark check -c"
                + " FILE says what to do\n")
        .contains("shop.public.orders-0         7    ?    ?\n")
        .endsWith("  lag         unknown\n");
    assertThat(StatusJson.of(status, text -> text))
        .contains("\"topic-problem\":\"Topic T has the id A,", "\"lag\":null");
  }

  @Test
  void whatWasLeftOutIsSaid() {
    Progress progress =
        new Progress(
            Map.of(),
            Map.of(),
            Set.of(
                new Gap(new TopicPartition(TOPIC, 1), 400, 499),
                new Gap(new TopicPartition(TOPIC, 0), 7, 7),
                new Gap(new TopicPartition(TOPIC, 1), 100, 250)));
    CommitRecord record =
        new CommitRecord("c-1", null, "i-1", 12, progress, BatchStats.NONE, null, null, Map.of());
    TableFacts facts =
        new TableFacts(
            2,
            Map.of(0, "unpartitioned"),
            0,
            null,
            new OwnCommit(record, NOW.minusSeconds(65)),
            null,
            "those between snapshot 3 and 5",
            null,
            0);
    TableStatus status = status(facts, null, null, List.of());

    assertThat(text(status))
        .contains(
            "  gaps        shop.public.orders-0 offsets 7 to 7, shop.public.orders-1 offsets 100 to"
                + " 250, shop.public.orders-1 offsets 400 to 499: left out by --accept-gap\n")
        .contains(
            "  unseen      snapshots, those between snapshot 3 and 5, were expired: verify compares"
                + " every key\n");
    assertThat(StatusJson.of(status, text -> text))
        .contains("{\"topic\":\"shop.public.orders\",\"partition\":1,\"from\":100,\"to\":250}");
  }

  @Test
  void aTableThatIsNotThereYet() {
    assertThat(text(status(null, null, null, List.of(part(0, null, 2L, 20L)))))
        .isEqualTo(
            """
            public.orders
              table       there is none yet
              partition             recorded  end  lag
              shop.public.orders-0      none   20   18
              lag         18 records
            """);
  }

  @Test
  void aTableWithoutRecordAndSnapshot() {
    TableFacts facts =
        new TableFacts(
            2, Map.of(0, "unpartitioned"), 0, null, null, "snapshot 3 (append)", null, null, 0);

    assertThat(text(status(facts, null, null, List.of())))
        .contains("snapshot    none yet")
        .contains("commit      none: the table has no record of Tidemark")
        .contains("foreign     somebody else made snapshot 3 (append)")
        .endsWith("partitions  none known of topic shop.public.orders\n");
  }

  @ParameterizedTest
  @CsvSource({
    "-5, 0 s",
    "59, 59 s",
    "60, 1 min 0 s",
    "3599, 59 min 59 s",
    "3660, 1 h 1 min",
    "90000, 1 d 1 h"
  })
  void agesHaveTwoUnits(long seconds, String text) {
    assertThat(StatusText.text(Duration.ofSeconds(seconds))).isEqualTo(text);
  }

  private static TableFacts facts() {
    CommitRecord record =
        new CommitRecord(
            "c-1",
            null,
            "i-1",
            12,
            Progress.NONE,
            new BatchStats(
                90, 10, 80, null, micros(NOW.minusMillis(67_500)), new LiveRows(1001, 7)),
            7L,
            LocalDate.of(2026, 9, 1),
            Map.of());
    return new TableFacts(
        2,
        Map.of(0, "unpartitioned", 1, "bucket(16, id)"),
        1,
        new SnapshotFacts(77, NOW.minusSeconds(5), 1200L, 8L, 3L, 210L, 0L, 123_456L),
        new OwnCommit(record, NOW.minusSeconds(65)),
        null,
        null,
        new SnapshotFacts(7, NOW.minusSeconds(6), 40L, 2L, 0L, 0L, 0L, 99L),
        2);
  }

  private static long micros(Instant instant) {
    return instant.toEpochMilli() * 1000;
  }

  private static List<TableStatus.Partition> kept() {
    return List.of(part(0, 1200L, 0L, 1500L), part(1, 100L, 0L, 101L));
  }

  private static TableStatus.Partition part(
      int number, @Nullable Long recorded, @Nullable Long earliest, @Nullable Long latest) {
    return new TableStatus.Partition(new TopicPartition(TOPIC, number), recorded, earliest, latest);
  }

  private static TableStatus status(
      @Nullable TableFacts facts,
      @Nullable Long rows,
      @Nullable String problem,
      List<TableStatus.Partition> partitions) {
    return new TableStatus(TOPIC, "public.orders", facts, rows, problem, null, partitions, NOW);
  }

  private static String text(TableStatus status) {
    StringWriter text = new StringWriter();
    new StatusText(said -> said, new PrintWriter(text)).print(status);
    return text.toString();
  }
}
