package io.tidemark.flink;

import static io.tidemark.flink.GateFixture.DAY;
import static io.tidemark.flink.GateFixture.arrival;
import static io.tidemark.flink.GateFixture.delete;
import static io.tidemark.flink.GateFixture.harness;
import static io.tidemark.flink.GateFixture.key;
import static io.tidemark.flink.GateFixture.letters;
import static io.tidemark.flink.GateFixture.live;
import static io.tidemark.flink.GateFixture.outputs;
import static io.tidemark.flink.GateFixture.put;
import static io.tidemark.flink.GateFixture.read;
import static io.tidemark.flink.GateFixture.version;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.Change;
import io.tidemark.change.CommitVersion;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.Position;
import io.tidemark.change.PrimaryKey;
import io.tidemark.commit.Retention;
import io.tidemark.failure.BadEventException;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

/** What a gate does with changes from before the horizon, and with the marks of deleted keys. */
class GateHorizonTest {

  @Test
  void aChangeOfAnUnknownKeyFromBeforeTheHorizonStopsTheJob() throws Exception {
    Forgetting forgetting = Forgetting.from(LocalDate.EPOCH.plusDays(10), new Retention(2));
    try (var harness = harness(null, forgetting, MalformedPolicy.FAIL)) {
      harness.open();
      assertThatThrownBy(() -> harness.processElement1(put(1, 5, DAY * 10 - 1)))
          .isInstanceOf(SuppressRestartsException.class)
          .cause()
          .isInstanceOf(BadEventException.class)
          .hasMessage(
              "topic orders, partition 0, offset 5: the change was made at"
                  + " 1970-01-10T23:59:59.999999Z, before the table's horizon 1970-01-11T00:00:00Z,"
                  + " and nothing is known of its key so far back: the key may have been deleted and"
                  + " forgotten since (tombstones.retention), and then the change must stay dead. If"
                  + " so, put it aside (errors.policy dead-letter or skip); if the key was not"
                  + " deleted since, apply it (./tidemark run -c FILE --accept-horizon)");
      harness.processElement1(put(2, 6, DAY * 10));
      harness.prepareSnapshotPreBarrier(1);
      assertThat(outputs(harness)).containsExactly("1/0: put 2=6");
    }
  }

  @Test
  void anOldDeleteOfAnUnknownKeyIsNothingAndLetsNothingPass() throws Exception {
    Forgetting forgetting = Forgetting.from(LocalDate.EPOCH.plusDays(10), new Retention(2));
    try (var harness = harness(null, forgetting, MalformedPolicy.DEAD_LETTER)) {
      harness.open();
      // Of insert 1, delete 2, insert 3, delete 4, all forgotten, two come again.
      harness.processElement1(delete(1, 2, DAY));
      harness.processElement1(put(1, 3, DAY * 2));
      harness.prepareSnapshotPreBarrier(1);

      assertThat(outputs(harness)).isEmpty();
      assertThat(letters(harness)).containsExactly(3L);
    }
  }

  @Test
  void theHorizonMovesAtABarrierToWhereTheSlowestPartitionIs() throws Exception {
    try (var harness = harness(null, Forgetting.from(null, new Retention(2)))) {
      harness.open();
      harness.processElement2(read(0, DAY * 9 + 5));
      harness.processElement1(put(1, 1, DAY * 2)); // the barrier has not come
      harness.prepareSnapshotPreBarrier(1);
      harness.processElement1(put(2, 2, DAY * 7 - 1));
      harness.processElement1(put(3, 3, DAY * 7));
      harness.processElement2(
          read(1, DAY * 4)); // a partition that came since does not move it back
      harness.prepareSnapshotPreBarrier(2);
      harness.processElement1(put(4, 4, DAY * 7 - 1));
      harness.processElement2(read(0, DAY * 30));
      harness.prepareSnapshotPreBarrier(3);
      harness.processElement1(put(5, 5, DAY * 7));
      harness.processElement2(read(1, DAY * 12));
      harness.prepareSnapshotPreBarrier(4);
      harness.processElement1(put(6, 6, DAY * 10 - 1));

      assertThat(letters(harness)).containsExactly(2L, 4L, 6L);
    }
  }

  /** It is remembered a day longer than the horizon says: clocks differ. */
  @Test
  void deletedKeysAreForgottenWithTheHorizonAndLiveOnesNever() throws Exception {
    Map<PrimaryKey, List<Mark>> table = new HashMap<>();
    table.put(key(1), List.of(Mark.deleted(version(20), DAY * 3)));
    table.put(key(2), List.of(live(20, "x")));
    OperatorSubtaskState state;
    try (var harness =
        harness(new GateFixture.FixedSeed(table), Forgetting.from(null, new Retention(2)))) {
      harness.open();
      harness.processElement1(delete(3, 20, DAY * 4 - 1));
      harness.processElement1(delete(4, 20, DAY * 4));
      harness.processElement1(delete(5, 20, DAY * 4 - 1));
      harness.processElement2(read(0, DAY * 6)); // the horizon is day 4
      harness.prepareSnapshotPreBarrier(1);
      late(harness, 1, 2, 3, 4, 5);
      harness.processWatermark1(Watermark.MAX_WATERMARK); // as at the end of the input
      harness.processWatermark2(Watermark.MAX_WATERMARK);
      late(harness, 1, 2, 3, 4, 5);
      assertThat(letters(harness)).isEmpty();
      state = harness.snapshot(1, 1);
    }
    try (var harness = harness(null, Forgetting.from(null, new Retention(2)))) {
      harness.initializeState(state);
      harness.open();
      harness.processElement1(put(5, 30, DAY * 6)); // lives again
      harness.processElement2(read(0, DAY * 7)); // day 5: what was deleted before day 4
      harness.prepareSnapshotPreBarrier(2);
      late(harness, 1, 2, 3, 4, 5);
      assertThat(letters(harness)).containsExactly(1L, 3L);
      state = harness.snapshot(2, 2);
    }
    try (var harness = harness(null, Forgetting.from(null, new Retention(2)))) {
      harness.initializeState(state);
      harness.open();
      late(harness, 1, 2, 3, 4, 5); // the horizon was restored with the marks
      assertThat(letters(harness)).containsExactly(1L, 3L);
      assertThat(outputs(harness)).isEmpty();
    }
  }

  /** A replay may have to learn deletes again before it meets what they beat. */
  @Test
  void whoAcceptsTheHorizonForgetsNothing() throws Exception {
    Map<PrimaryKey, List<Mark>> table = new HashMap<>();
    table.put(key(1), List.of(Mark.deleted(version(20), DAY)));
    try (var harness = harness(new GateFixture.FixedSeed(table), Forgetting.NOTHING)) {
      harness.open();
      harness.processElement1(delete(2, 20, DAY));
      harness.processElement2(read(0, DAY * 60));
      harness.prepareSnapshotPreBarrier(1);
      late(harness, 1, 2);
      harness.processElement1(put(3, 5, DAY));
      harness.prepareSnapshotPreBarrier(2);

      assertThat(letters(harness)).isEmpty();
      assertThat(outputs(harness)).containsExactly("1/0: delete 2", "2/0: put 3=5");
    }
  }

  /** Each key's version 10, made on day 1; the offset in the log is the key. */
  private static void late(
      KeyedTwoInputStreamOperatorTestHarness<PrimaryKey, Arrival, CommitInput, CommitInput> harness,
      int... keys)
      throws Exception {
    for (int key : keys) {
      CommitVersion version =
          new CommitVersion(0, new Position(10, 0, 0), CommitVersion.STREAM, key);
      harness.processElement1(
          arrival(new Change(key(key), Kind.UPSERT, version, DAY, new byte[] {'l'})));
    }
  }
}
