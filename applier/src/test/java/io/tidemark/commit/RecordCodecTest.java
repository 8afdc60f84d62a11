package io.tidemark.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.Epoch;
import io.tidemark.change.PartitionProgress;
import io.tidemark.change.Position;
import io.tidemark.change.TopicPartition;
import io.tidemark.failure.RefusedException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordCodecTest {
  /** As earlier builds wrote. */
  private static final BatchStats UNCOUNTED = BatchStats.NONE.withLive(null);

  private static final CommitRecord FULL =
      new CommitRecord(
          "c2",
          "c1",
          "job-7",
          42,
          new Progress(
              Map.of(
                  new TopicPartition("shop.public.orders", 0),
                  new PartitionProgress(
                      12,
                      3,
                      new Position(1, -1, 2),
                      1_700_000_000_123_456L,
                      Map.of(new Position(9, 0, 0), new Position(8, 0, 0))),
                  new TopicPartition("shop.public.orders", 10),
                  PartitionProgress.startingAt(0),
                  new TopicPartition("shop.public.orders", 2),
                  PartitionProgress.startingAt(5))),
          new BatchStats(7, 2, 5, "00000000-0", 1_700_000_000_123_999L, null),
          8_001_002_003_004_005_006L,
          null,
          Map.of());

  private static final CommitRecord BARE =
      new CommitRecord("c1", null, "job-7", 1, Progress.NONE, UNCOUNTED, null, null, Map.of());

  private static final CommitRecord WITH_TOPIC_IDS =
      with(BARE, new Progress(Map.of(), Map.of("orders", "Kb4y_1xVTsGUvBzmHbjW6w"), Set.of()));

  private static final CommitRecord WITH_GAPS =
      with(
          BARE,
          new Progress(
              Map.of(),
              Map.of(),
              Set.of(
                  new Gap(new TopicPartition("orders", 1), 7, 7),
                  new Gap(new TopicPartition("orders", 1), 2, 4),
                  new Gap(new TopicPartition("orders", 0), 5, 6))));

  private static final CommitRecord COUNTED =
      new CommitRecord(
          "c1",
          null,
          "job-7",
          1,
          Progress.NONE,
          UNCOUNTED.withLive(new LiveRows(3, -2)),
          null,
          null,
          Map.of());

  private static final CommitRecord WITH_REPLAY =
      new CommitRecord(
          "c1",
          null,
          "job-7",
          1,
          Progress.NONE,
          UNCOUNTED,
          null,
          LocalDate.of(2026, 9, 1),
          Map.of(
              new TopicPartition("orders", 10),
              0L,
              new TopicPartition("orders", 2),
              7L,
              new TopicPartition("items", 0),
              12L));

  private static final CommitRecord WITH_LAST_RECORDS =
      with(
          BARE,
          Progress.NONE.withLastRecords(
              Map.of(
                  new TopicPartition("orders", 0),
                  new LastRecord(5, 1_700_000_000_000L, -7),
                  new TopicPartition("orders", 10),
                  new LastRecord(0, -1, 31))));

  private static final CommitRecord WITH_EPOCHS =
      with(
          BARE,
          new Progress(
              Map.of(
                  new TopicPartition("orders", 0),
                  new PartitionProgress(
                      12,
                      3,
                      List.of(
                          new Epoch(0, 0, new Position(8, 8, 0), 5, Map.of()),
                          new Epoch(
                              2,
                              10,
                              new Position(1, 2, 3),
                              6,
                              Map.of(new Position(9, 0, 0), new Position(1, 0, 0))),
                          Epoch.beginning(3, 15))),
                  new TopicPartition("orders", 1),
                  PartitionProgress.startingAt(0, 2))));

  private static CommitRecord with(CommitRecord r, Progress progress) {
    return new CommitRecord(
        r.commitId(),
        r.parent(),
        r.incarnation(),
        r.checkpoint(),
        progress,
        r.stats(),
        r.tombstoneSnapshot(),
        r.horizon(),
        r.replay());
  }

  private static String golden(String name) throws IOException {
    try (InputStream in = Objects.requireNonNull(RecordCodecTest.class.getResourceAsStream(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String text(Map<String, String> summary) {
    return new TreeMap<>(summary)
        .entrySet().stream()
            .map(property -> property.getKey() + "=" + property.getValue() + "\n")
            .collect(Collectors.joining());
  }

  private static Map<String, String> parse(String text) {
    return text.lines()
        .map(line -> line.split("=", 2))
        .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
  }

  @Test
  void writesWhatItAlwaysWrote() throws IOException {
    assertThat(text(RecordCodec.write(FULL))).isEqualTo(golden("record-full.properties"));
    assertThat(text(RecordCodec.write(BARE))).isEqualTo(golden("record-bare.properties"));
    assertThat(text(RecordCodec.write(WITH_TOPIC_IDS)))
        .isEqualTo(golden("record-topic-ids.properties"));
    assertThat(text(RecordCodec.write(WITH_EPOCHS))).isEqualTo(golden("record-epochs.properties"));
    assertThat(text(RecordCodec.write(WITH_GAPS))).isEqualTo(golden("record-gaps.properties"));
    assertThat(text(RecordCodec.write(WITH_REPLAY))).isEqualTo(golden("record-replay.properties"));
    assertThat(text(RecordCodec.write(COUNTED))).isEqualTo(golden("record-rows.properties"));
    assertThat(text(RecordCodec.write(WITH_LAST_RECORDS)))
        .isEqualTo(golden("record-last-records.properties"));
  }

  @Test
  void readsWhatItAlwaysWrote() throws IOException {
    assertThat(RecordCodec.read(parse(golden("record-full.properties")))).isEqualTo(FULL);
    assertThat(RecordCodec.read(parse(golden("record-bare.properties")))).isEqualTo(BARE);
    assertThat(RecordCodec.read(parse(golden("record-topic-ids.properties"))))
        .isEqualTo(WITH_TOPIC_IDS);
    assertThat(RecordCodec.read(parse(golden("record-gaps.properties")))).isEqualTo(WITH_GAPS);
    assertThat(RecordCodec.read(parse(golden("record-replay.properties")))).isEqualTo(WITH_REPLAY);
    assertThat(RecordCodec.read(parse(golden("record-epochs.properties")))).isEqualTo(WITH_EPOCHS);
    assertThat(RecordCodec.read(parse(golden("record-rows.properties")))).isEqualTo(COUNTED);
    assertThat(RecordCodec.read(parse(golden("record-last-records.properties"))))
        .isEqualTo(WITH_LAST_RECORDS);
  }

  @Test
  void pointerWritesAndReadsWhatItAlwaysWrote() throws IOException {
    RecordPointer pointer = new RecordPointer(77, 0, RecordCodec.write(FULL));

    assertThat(pointer.toJson() + "\n").isEqualTo(golden("record-pointer.json"));
    assertThat(RecordPointer.parse(golden("record-pointer.json"))).isEqualTo(pointer);
    RecordPointer numbered = new RecordPointer(77, 5, RecordCodec.write(FULL));
    assertThat(numbered.toJson()).startsWith("{\"snapshot-id\":77,\"sequence-number\":5,");
    assertThat(RecordPointer.parse(numbered.toJson())).isEqualTo(numbered);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void everyRecordComesBackAsItWas(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 500; i++) {
      CommitRecord record = randomRecord(random);
      Map<String, String> summary = new HashMap<>(RecordCodec.write(record));
      summary.put("added-records", "5");
      assertThat(RecordCodec.read(summary)).isEqualTo(record);
      assertThat(
              RecordCodec.read(
                  RecordPointer.parse(new RecordPointer(i, i, RecordCodec.write(record)).toJson())
                      .summary()))
          .isEqualTo(record);
    }
  }

  @Test
  void partialSnapshotsCarryNoRecord() {
    Map<String, String> summary = new HashMap<>(RecordCodec.write(BARE));
    assertThat(RecordCodec.isRecord(summary)).isTrue();
    summary.put(RecordCodec.PARTIAL, "true");
    assertThat(RecordCodec.isRecord(summary)).isFalse();
    assertThat(RecordCodec.isRecord(Map.of("operation", "append"))).isFalse();
  }

  @Test
  void namesTheMissingProperty() {
    Map<String, String> summary = new HashMap<>(RecordCodec.write(BARE));
    summary.remove("tidemark.offsets");
    assertThatThrownBy(() -> RecordCodec.read(summary))
        .isInstanceOf(RefusedException.class)
        .hasMessage(
            "The commit record lacks tidemark.offsets. The table's record was edited, or a newer"
                + " build wrote it. Use that build, or roll the table back to a snapshot whose"
                + " record is whole; if none is left, see docs/recovery.md");
  }

  @Test
  void namesTheUnreadableProperty() {
    Map<String, String> summary = new HashMap<>(RecordCodec.write(BARE));
    summary.put("tidemark.upserts", "many");
    assertThatThrownBy(() -> RecordCodec.read(summary))
        .hasMessageStartingWith(
            "The commit record's tidemark.upserts must be a number, got \"many\". ");
    summary.put("tidemark.upserts", "1");
    summary.put("tidemark.origin", "{");
    assertThatThrownBy(() -> RecordCodec.read(summary))
        .hasMessageStartingWith("The commit record's tidemark.origin is no JSON: {. ");
  }

  private static CommitRecord randomRecord(Random random) {
    Map<TopicPartition, PartitionProgress> partitions = new HashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      long origin = random.nextInt(1000);
      Map<Position, Position> generations = new HashMap<>();
      for (int j = random.nextInt(3); j > 0; j--) {
        generations.put(position(random), position(random));
      }
      partitions.put(
          new TopicPartition("t-" + random.nextInt(2) + ".ü", random.nextInt(20)),
          later(
              random,
              new PartitionProgress(
                  origin + random.nextInt(1000),
                  origin,
                  position(random),
                  random.nextBoolean() ? Long.MIN_VALUE : random.nextLong(),
                  generations)));
    }
    return new CommitRecord(
        "c" + random.nextInt(),
        random.nextBoolean() ? null : "p",
        "i",
        random.nextLong(),
        new Progress(
            partitions,
            random.nextBoolean() ? Map.of() : Map.of("t", "id" + random.nextInt()),
            random.nextBoolean()
                ? Set.of()
                : Set.of(new Gap(new TopicPartition("t-1", 3), random.nextInt(9), 10))),
        new BatchStats(
            random.nextInt(9),
            random.nextInt(9),
            random.nextInt(9),
            random.nextBoolean() ? null : "v" + random.nextInt(),
            random.nextBoolean() ? Long.MIN_VALUE : random.nextLong(),
            random.nextBoolean() ? null : new LiveRows(random.nextLong(), random.nextLong())),
        random.nextBoolean() ? null : random.nextLong(),
        random.nextBoolean() ? null : LocalDate.ofEpochDay(random.nextInt()),
        random.nextBoolean()
            ? Map.of()
            : Map.of(new TopicPartition("t-1.ü", random.nextInt(9)), random.nextLong()));
  }

  private static PartitionProgress later(Random random, PartitionProgress first) {
    PartitionProgress progress = first;
    for (int i = random.nextInt(3); i > 0; i--) {
      int number = progress.last().number() + 1 + random.nextInt(3);
      progress = progress.beginning(number, progress.nextOffset() + random.nextInt(9));
      progress =
          progress.merge(
              PartitionProgress.of(
                  progress.nextOffset(),
                  progress.origin(),
                  List.of(
                      progress.epochs().get(0),
                      new Epoch(
                          number,
                          progress.last().start(),
                          position(random),
                          random.nextInt(99),
                          Map.of(position(random), position(random))))));
    }
    return progress;
  }

  private static Position position(Random random) {
    return new Position(random.nextLong(), random.nextLong(), random.nextLong());
  }
}
