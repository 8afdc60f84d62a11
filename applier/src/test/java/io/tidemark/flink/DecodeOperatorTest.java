package io.tidemark.flink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.CommitVersion;
import io.tidemark.change.Kind;
import io.tidemark.change.PartitionProgress;
import io.tidemark.change.Position;
import io.tidemark.change.PrimaryKey;
import io.tidemark.change.SourceOffset;
import io.tidemark.change.SourcePosition;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.Gap;
import io.tidemark.commit.LastRecord;
import io.tidemark.commit.Progress;
import io.tidemark.commit.Retention;
import io.tidemark.debezium.DecodeResult;
import io.tidemark.debezium.RawRecord;
import io.tidemark.failure.BadEventException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecodeOperatorTest {
  private static final Forgetting FORGETTING = Forgetting.from(null, new Retention(2));

  @Test
  void aSnapshotRanksAboveWhatWasStreamedBeforeIt() throws Exception {
    try (var harness = harness(MalformedPolicy.FAIL, Progress.NONE)) {
      harness.open();
      feed(harness, 0, 0, "stream 50");
      feed(harness, 0, 1, "snapshot 90");
      feed(harness, 0, 2, "stream 60");

      assertThat(versions(harness)).containsExactly(at(50, 0, 0), at(50, 1, 1), at(60, 0, 2));
    }
  }

  @Test
  void ranksSurviveRestoresInWhichTheirPartitionWasNotRead() throws Exception {
    OperatorSubtaskState state;
    try (var harness = harness(MalformedPolicy.FAIL, Progress.NONE)) {
      harness.open();
      feed(harness, 0, 0, "stream 50");
      feed(harness, 0, 1, "snapshot 90");
      state = harness.snapshot(1, 1);
    }
    for (int restore = 2; restore < 4; restore++) {
      try (var harness = harness(MalformedPolicy.FAIL, Progress.NONE)) {
        harness.initializeState(state);
        harness.open();
        feed(harness, 1, restore, "stream 70");
        state = harness.snapshot(restore, restore);
      }
    }
    try (var harness = harness(MalformedPolicy.FAIL, Progress.NONE)) {
      harness.initializeState(state);
      harness.open();
      feed(harness, 0, 2, "stream 60");
      feed(harness, 0, 3, "snapshot 90");

      assertThat(versions(harness)).containsExactly(at(60, 0, 2), at(50, 1, 3));
    }
  }

  @Test
  void ranksComeWithTheTablesRecord() throws Exception {
    TopicPartition p0 = new TopicPartition("orders", 0);
    PartitionProgress recorded =
        new PartitionProgress(9, 0, position(80), 5, Map.of(position(90), position(50)));

    try (var harness = harness(MalformedPolicy.FAIL, new Progress(Map.of(p0, recorded)))) {
      harness.open();
      feed(harness, 0, 1, "snapshot 90");

      assertThat(versions(harness)).containsExactly(at(50, 1, 1));
    }
  }

  /** Its keys come from other partitions, whose positions its snapshot would rank below. */
  @Test
  void aSnapshotInAPartitionThatCameLaterIsRefused() throws Exception {
    TopicPartition p0 = new TopicPartition("orders", 0);
    PartitionProgress recorded = new PartitionProgress(9, 0, position(80), 5, Map.of());

    try (var harness = harness(MalformedPolicy.FAIL, new Progress(Map.of(p0, recorded)))) {
      harness.open();

      assertThatThrownBy(() -> feed(harness, 1, 0, "snapshot 90"))
          .isInstanceOf(SuppressRestartsException.class)
          .cause()
          .hasMessageContaining("topic orders, partition 1, offset 0: this partition came after")
          .hasMessageEndingWith(
              " begin an epoch there: ./tidemark epoch -c FILE --begin orders:1=0 --all");
    }
  }

  @Test
  void aPartitionThatComesLaterIsInTheNewestEpoch() throws Exception {
    TopicPartition p0 = new TopicPartition("orders", 0);
    PartitionProgress recorded =
        new PartitionProgress(9, 0, position(80), 5, Map.of()).beginning(4, 9);

    try (var harness = harness(MalformedPolicy.FAIL, new Progress(Map.of(p0, recorded)))) {
      harness.open();
      feed(harness, 1, 0, "stream 3");
      feed(harness, 0, 8, "stream 70");
      feed(harness, 0, 9, "stream 2");

      assertThat(versions(harness)).extracting(CommitVersion::epoch).containsExactly(4, 0, 4);
    }
  }

  @Test
  void changesInAPartitionThatCameLaterHaveTheirOwnPositions() throws Exception {
    TopicPartition p0 = new TopicPartition("orders", 0);
    PartitionProgress recorded = new PartitionProgress(9, 0, position(80), 5, Map.of());

    try (var harness = harness(MalformedPolicy.FAIL, new Progress(Map.of(p0, recorded)))) {
      harness.open();
      feed(harness, 1, 0, "stream 90");
      feed(harness, 1, 1, "snapshot 95");

      assertThat(versions(harness)).containsExactly(at(90, 0, 0), at(90, 1, 1));
    }
  }

  @Test
  void offsetsAreReportedBeforeTheBarrierAndCountWhatChangedNothing() throws Exception {
    try (var harness = harness(MalformedPolicy.FAIL, Progress.NONE)) {
      harness.open();
      feed(harness, 0, 4, "stream 50");
      feed(harness, 0, 5, "ignored");
      harness.prepareSnapshotPreBarrier(1);

      assertThat(reports(harness))
          .singleElement()
          .isEqualTo(
              new CommitInput.Read(
                  new Progress(
                          Map.of(
                              new TopicPartition("orders", 0),
                              new PartitionProgress(6, 4, position(50), 0, Map.of())))
                      .withLastRecords(
                          Map.of(
                              new TopicPartition("orders", 0),
                              LastRecord.of(5, 0, null, "ignored".getBytes(UTF_8))))));
    }
  }

  @Test
  void theEndOfTheInputIsReportedOnce() throws Exception {
    try (var harness = harness(MalformedPolicy.FAIL, Progress.NONE)) {
      harness.open();
      feed(harness, 0, 0, "stream 50");
      harness.endInput();
      harness.prepareSnapshotPreBarrier(1);

      assertThat(reports(harness)).hasSize(1);
    }
  }

  @Test
  void aMalformedRecordStopsTheJobForGood() throws Exception {
    try (var harness = harness(MalformedPolicy.FAIL, Progress.NONE)) {
      harness.open();

      assertThatThrownBy(() -> feed(harness, 2, 7, "bad"))
          .isInstanceOf(SuppressRestartsException.class)
          .cause()
          .isInstanceOf(BadEventException.class)
          .hasMessage("topic orders, partition 2, offset 7: found bad, expected good");
    }
  }

  @Test
  void aDeadLetterCarriesTheRecordAndTheReason() throws Exception {
    try (var harness = harness(MalformedPolicy.DEAD_LETTER, Progress.NONE)) {
      harness.open();
      feed(harness, 2, 7, "bad");
      feed(harness, 2, 8, "stream 50");

      assertThat(harness.getSideOutput(DecodeOperator.DEAD_LETTERS))
          .singleElement()
          .extracting(StreamRecord::getValue)
          .satisfies(
              letter -> {
                assertThat(letter.problem()).isEqualTo("found bad, expected good");
                assertThat(letter.record().at()).isEqualTo(new SourceOffset("orders", 2, 7));
                assertThat(letter.record().value()).isEqualTo("bad".getBytes(UTF_8));
              });
      assertThat(versions(harness)).containsExactly(at(50, 0, 8));
    }
  }

  @Test
  void aRecordMayBeADeadLetterUnderEveryPolicy() throws Exception {
    for (MalformedPolicy policy : MalformedPolicy.values()) {
      try (var harness = harness(policy, Progress.NONE)) {
        harness.open();
        feed(harness, 2, 7, "unrepresentable");

        assertThat(harness.getSideOutput(DecodeOperator.DEAD_LETTERS))
            .singleElement()
            .extracting(letter -> letter.getValue().problem())
            .isEqualTo("found infinity");
      }
    }
  }

  @Test
  void positionsThatStartOverStopTheJobUnderEveryPolicy() throws Exception {
    try (var harness = harness(MalformedPolicy.SKIP, Progress.NONE)) {
      harness.open();
      feed(harness, 0, 0, "stream 50");

      assertThatThrownBy(() -> feed(harness, 0, 1, "stream 20 11000001"))
          .cause()
          .isInstanceOf(BadEventException.class)
          .hasMessageStartingWith("topic orders, partition 0, offset 1: position ")
          .hasMessageEndingWith(
              " at offset 1. If everything from there on is newer than all before it, begin an epoch"
                  + " there: ./tidemark epoch -c FILE --begin orders:0=1");
    }
  }

  /** Keys moved from partition 1 to 0 when partition 2 came, which has brought no record yet. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void addedPartitionsAreKnownToTheOthers(boolean restored) throws Exception {
    TopicPartition zero = new TopicPartition("orders", 0);
    TopicPartition one = new TopicPartition("orders", 1);
    TopicPartition two = new TopicPartition("orders", 2);
    Map<TopicPartition, PartitionProgress> before = new HashMap<>();
    before.put(zero, new PartitionProgress(1, 0, position(10), 0, Map.of()));
    before.put(one, new PartitionProgress(1, 0, position(20), 0, Map.of()));
    OperatorSubtaskState state;
    try (var harness = harness(MalformedPolicy.FAIL, new Progress(before))) {
      harness.open();
      feed(harness, 0, 1, "snapshot 30");
      state = harness.snapshot(1, 1);
    }
    before.put(two, PartitionProgress.comingLateAt(0, 0));
    try (var harness = harness(MalformedPolicy.FAIL, new Progress(before))) {
      if (restored) {
        harness.initializeState(state);
      }
      harness.open();

      assertThatThrownBy(() -> feed(harness, 0, 2, "snapshot 40"))
          .cause()
          .hasMessageContaining("partitions came to this topic after")
          .hasMessageEndingWith("./tidemark epoch -c FILE --begin orders:0=2 --all");
      feed(harness, 1, 1, "stream 21");
      feed(harness, 0, 2, "stream 22");
      feed(harness, 0, 3, "snapshot 40");
    }
  }

  /** Neither a change, nor a letter, nor a rank comes of it, and it is behind all the same. */
  @Test
  void whatLiesInAGapIsLeftOut() throws Exception {
    try (var harness = harness(MalformedPolicy.FAIL, gap(1, 3))) {
      harness.open();
      feed(harness, 0, 0, "stream 50");
      feed(harness, 1, 2, "stream 20");
      feed(harness, 0, 1, "bad");
      feed(harness, 0, 2, "stream 80");
      feed(harness, 0, 3, "snapshot 70");
      harness.prepareSnapshotPreBarrier(1);
      feed(harness, 0, 4, "snapshot 90");
      harness.prepareSnapshotPreBarrier(2);

      TopicPartition p0 = new TopicPartition("orders", 0);
      assertThat(versions(harness)).containsExactly(at(50, 0, 0), at(20, 0, 2), at(50, 1, 4));
      assertThat(reports(harness))
          .extracting(read -> ((CommitInput.Read) read).progress())
          .satisfiesExactly(
              // What is left out is in the log all the same.
              in -> assertThat(in.lastRecords().get(p0)).returns(3L, LastRecord::offset),
              after ->
                  assertThat(after.partitions().get(p0))
                      .isEqualTo(
                          new PartitionProgress(
                              5, 0, position(50), 0, Map.of(position(90), position(50)))));
    }
  }

  /** A replay may be below the gap at its checkpoint, and the plan of the restore know of none. */
  @Test
  void gapsSurviveRestores() throws Exception {
    OperatorSubtaskState state;
    try (var harness = harness(MalformedPolicy.FAIL, gap(1, 2))) {
      harness.open();
      feed(harness, 0, 0, "stream 50");
      state = harness.snapshot(1, 1);
    }
    for (Progress plan : List.of(Progress.NONE, gap(3, 3))) {
      try (var harness = harness(MalformedPolicy.FAIL, plan)) {
        harness.initializeState(state);
        harness.open();
        feed(harness, 0, 1, "stream 60");
        feed(harness, 0, 2, "bad");
        feed(harness, 0, 3, "stream 70");
        state = harness.snapshot(2, 2);

        assertThat(versions(harness)).hasSize(plan.gaps().isEmpty() ? 1 : 0);
      }
    }
  }

  private static Progress gap(long from, long to) {
    TopicPartition p0 = new TopicPartition("orders", 0);
    return new Progress(
        Map.of(
            p0,
            PartitionProgress.startingAt(0),
            new TopicPartition("orders", 1),
            PartitionProgress.startingAt(0)),
        Map.of(),
        Set.of(new Gap(p0, from, to)));
  }

  private static OneInputStreamOperatorTestHarness<RawRecord, Arrival> harness(
      MalformedPolicy policy, Progress start) throws Exception {
    return new OneInputStreamOperatorTestHarness<>(
        new DecodeOperator(() -> DecodeOperatorTest::decode, policy, start, FORGETTING),
        Types.RAW_RECORD.createSerializer(
            new org.apache.flink.api.common.serialization.SerializerConfigImpl()));
  }

  /** Understands {@code stream|snapshot position [time]}, {@code ignored} and nothing else. */
  private static DecodeResult decode(RawRecord record) {
    String[] words = new String(record.value(), UTF_8).split(" ");
    return switch (words[0]) {
      case "stream" ->
          decoded(new SourcePosition.Stream(position(Long.parseLong(words[1]))), words);
      case "snapshot" ->
          decoded(new SourcePosition.Snapshot(position(Long.parseLong(words[1]))), words);
      case "ignored" -> new DecodeResult.Ignored(DecodeResult.Reason.HEARTBEAT);
      case "unrepresentable" -> new DecodeResult.Malformed("found infinity", true);
      default -> new DecodeResult.Malformed("found bad, expected good");
    };
  }

  private static DecodeResult decoded(SourcePosition source, String[] words) {
    long time = words.length > 2 ? Long.parseLong(words[2]) : 0;
    return new DecodeResult.Decoded(
        PrimaryKey.of(new byte[] {1}), Kind.UPSERT, source, time, new byte[0]);
  }

  private static void feed(
      OneInputStreamOperatorTestHarness<RawRecord, Arrival> harness,
      int partition,
      long offset,
      String value)
      throws Exception {
    harness.processElement(
        new StreamRecord<>(
            new RawRecord(
                new SourceOffset("orders", partition, offset),
                0,
                null,
                value.getBytes(UTF_8),
                Map.of())));
  }

  private static List<CommitVersion> versions(
      OneInputStreamOperatorTestHarness<RawRecord, Arrival> harness) {
    return harness.extractOutputValues().stream()
        .map(arrival -> arrival.change().version())
        .toList();
  }

  private static List<CommitInput> reports(AbstractStreamOperatorTestHarness<Arrival> harness) {
    Queue<StreamRecord<CommitInput>> output = harness.getSideOutput(DecodeOperator.PROGRESS);
    return output.stream().map(StreamRecord::getValue).toList();
  }

  private static CommitVersion at(long position, int phase, long offset) {
    return new CommitVersion(0, position(position), phase, offset);
  }

  private static Position position(long number) {
    return new Position(number, 0, 0);
  }
}
