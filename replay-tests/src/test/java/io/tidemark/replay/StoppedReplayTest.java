package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.commit.Retention;
import io.tidemark.failure.RefusedException;
import io.tidemark.fault.Parts;
import io.tidemark.oracle.Offsets;
import io.tidemark.oracle.TableCheck;
import io.tidemark.replay.SimulatedJob.Saved;
import io.tidemark.replay.SimulatedJob.Shape;
import io.tidemark.replay.SimulatedJob.Start;
import io.tidemark.script.EventScript;
import io.tidemark.script.ScriptOptions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Replays from before the horizon that are stopped on the way, with the real operators. */
class StoppedReplayTest {
  private static final String NAME = "stopped-replay";

  private final SimulatedTable table =
      new SimulatedTable(
          SimulatedTable.inMemory(NAME),
          EventScript.of(
                  ScriptOptions.of(1).partitions(1).size(5, 25).repeated(0, 0, 0).hoursApart(20))
              .log(),
          List.of(),
          new Retention(1));
  private long checkpoint;

  @BeforeEach
  void toTheEnd() throws Exception {
    toTheEnd(start(0, false));
    assertThat(table.problems()).isEmpty();
  }

  @AfterEach
  void forget() {
    SharedMemoryCatalog.forget(NAME);
  }

  @Test
  void oneThatTakesUnknownKeysForNewOnesIsToBeTypedAgain() throws Exception {
    long recorded = recorded();
    SimulatedJob replay = start(0, true);
    commit(replay, 12);
    replay.close();

    assertThat(table.isReplayed()).isTrue();
    assertThat(recorded()).isEqualTo(recorded);
    for (boolean accepts : new boolean[] {false, true}) {
      assertThatThrownBy(() -> start(accepts ? 1 : 0, accepts))
          .isInstanceOf(RefusedException.class)
          .hasMessageEndingWith(
              "./tidemark run -c FILE --from shop.public.orders:0=0 --accept-horizon");
    }
    toTheEnd(start(0, true));
    assertThat(table.isReplayed()).isFalse();
    assertThat(table.problemsAtTheEnd()).isEmpty();
  }

  /** A savepoint is restored without the option. */
  @Test
  void itsStateGoesOnWithItByItself() throws Exception {
    int before = table.putAside();
    SimulatedJob replay = start(0, true);
    Saved saved = commit(replay, 6);
    replay.close();

    SimulatedJob restored =
        new SimulatedJob(
            table, Parts.REAL, shape(), new Random(3), new Start(Map.of(), Set.of(), false), saved);
    commit(restored, 6);
    assertThat(table.isReplayed()).isTrue();
    toTheEnd(restored);
    assertThat(table.isReplayed()).isFalse();
    assertThat(table.putAside()).isEqualTo(before);
    assertThat(table.problemsAtTheEnd()).isEmpty();
  }

  @Test
  void oneThatDoesNotChangesNothingWhereverItStops() throws Exception {
    SimulatedJob replay = start(0, false);
    commit(replay, 12);
    replay.close();

    assertThat(table.isReplayed()).isFalse();
    toTheEnd(start(recorded(), false));
    assertThat(table.problems()).isEmpty();
  }

  private long recorded() {
    Offsets offsets = TableCheck.lastOffsets(table.open());
    return offsets.next(table.topic(), 0);
  }

  private SimulatedJob start(long from, boolean accepts) throws Exception {
    return new SimulatedJob(
        table,
        Parts.REAL,
        shape(),
        new Random(3),
        new Start(Map.of(0, from), Set.of(), accepts),
        null);
  }

  private static Shape shape() {
    return new Shape(1, 2, 1 << 20, 0);
  }

  private Saved commit(SimulatedJob job, int records) throws Exception {
    job.read(0, records);
    Saved saved = Objects.requireNonNull(job.checkpoint(++checkpoint, false));
    job.complete(checkpoint);
    return saved;
  }

  private void toTheEnd(SimulatedJob job) throws Exception {
    while (!job.isAtEnd()) {
      commit(job, 5);
    }
    commit(job, 0);
    job.close();
  }
}
