package io.tidemark.flink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.Change;
import io.tidemark.change.CommitVersion;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.Position;
import io.tidemark.change.PrimaryKey;
import io.tidemark.change.SourceOffset;
import io.tidemark.change.Unsent;
import io.tidemark.commit.LiveRows;
import io.tidemark.commit.Retention;
import io.tidemark.failure.RefusedException;
import io.tidemark.merge.Seed;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DryRunOperatorTest {
  private static final LocalDate HORIZON = LocalDate.EPOCH;

  @Test
  void countsWhatTheRowsWouldComeToByKey() throws Exception {
    assertThat(
            counts(
                put(1, 5, "new"), // inserted
                put(2, 5, "new"), // inserted, then deleted: neither
                delete(2, 6),
                put(3, 6, "new"),
                put(3, 5, "older"), // superseded
                put(101, 9, "replaced"),
                put(101, 10, "replaced again"), // one key, one update
                delete(102, 9),
                delete(103, 9), // deleted, and there again: an update
                put(103, 10, "back"),
                put(104, 1, "before the table"), // superseded
                put(105, 2, "x"),
                put(105, 2, "x"), // a copy of what stands
                delete(4, 1))) // nothing there to delete
        .isEqualTo(
            Map.of(
                "changes", 14L,
                "inserted", 2L,
                "updated", 2L,
                "deleted", 1L,
                "absent", 2L,
                "further", 3L,
                "superseded", 2L,
                "duplicates", 2L,
                "too-old", 0L));
  }

  @Test
  void aReplayChangesNothing() throws Exception {
    assertThat(counts(put(101, 2, "x"), put(102, 1, "x"), delete(103, 1)))
        .containsEntry("inserted", 0L)
        .containsEntry("updated", 0L)
        .containsEntry("deleted", 0L);
  }

  /** Without the marks of the table everything looks new: what the seed is for. */
  @Test
  void plantedBugADryRunThatDoesNotLookAtTheTableIsCaught() throws Exception {
    assertThat(seededCounts(null, put(101, 2, "x"))).containsEntry("inserted", 1L);
  }

  /** Every attempt reads the same snapshots. */
  @Test
  void marksThatAreRefusedEndItAtOnce() {
    Seed refused =
        marks -> {
          throw new RefusedException("a file is gone");
        };
    assertThatThrownBy(() -> seededCounts(refused, put(1, 5, "new")))
        .isInstanceOf(SuppressRestartsException.class)
        .hasRootCauseMessage("a file is gone");
  }

  @Test
  void unknownKeysFromBeforeTheHorizonAreCountedAndNothingElse() throws Exception {
    Change old = new Change(key(1), Kind.UPSERT, version(5), -1, new byte[] {1});
    Change oldDelete = new Change(key(2), Kind.DELETE, version(5), -1, new byte[0]);
    Change known = new Change(key(101), Kind.UPSERT, version(5), -1, new byte[] {1});

    assertThat(counts(old, oldDelete, known))
        .containsEntry("too-old", 1L)
        .containsEntry("inserted", 0L)
        .containsEntry("updated", 1L)
        .containsEntry("superseded", 1L);
  }

  /** It loses, and its row changes all the same: counted twice, the counts would not add up. */
  @Test
  void whatTellsALeftOutColumnCountsOnce() throws Exception {
    Unsent unsent = new Unsent(List.of("wide"), false, new SourceOffset("orders", 0, 5));
    assertThat(
            counts(
                new Change(key(1), Kind.UPSERT, version(5), 0, new byte[] {1}, unsent, null),
                put(1, 4, "told")))
        .containsEntry("inserted", 1L)
        .containsEntry("further", 1L)
        .containsEntry("superseded", 0L);
  }

  private static Map<String, Long> counts(Change... changes) throws Exception {
    return seededCounts(new Rows(), changes);
  }

  private static Map<String, Long> seededCounts(@Nullable Seed seed, Change... changes)
      throws Exception {
    DryRunOperator operator =
        new DryRunOperator(seed, Forgetting.from(HORIZON, new Retention(1)), MalformedPolicy.SKIP);
    try (var harness =
        new KeyedOneInputStreamOperatorTestHarness<PrimaryKey, Arrival, Void>(
            operator, Arrival::key, Types.PRIMARY_KEY)) {
      harness.open();
      for (Change change : changes) {
        harness.processElement(new StreamRecord<>(new Arrival(change, null)));
      }
      harness.endInput();
      Map<String, Long> counts = new TreeMap<>();
      for (String name :
          new String[] {
            "changes",
            "inserted",
            "updated",
            "deleted",
            "absent",
            "further",
            "superseded",
            "duplicates",
            "too-old"
          }) {
        counts.put(name, (Long) operator.getRuntimeContext().getAccumulator(name).getLocalValue());
      }
      assertThat(counts.values().stream().mapToLong(count -> count).sum())
          .as("all but the changes, and the changes")
          .isEqualTo(2L * changes.length);
      return counts;
    }
  }

  private static Change put(int id, long version, String content) {
    return new Change(key(id), Kind.UPSERT, version(version), 0, content.getBytes(UTF_8));
  }

  private static Change delete(int id, long version) {
    return new Change(key(id), Kind.DELETE, version(version), 0, new byte[0]);
  }

  private static PrimaryKey key(int id) {
    return PrimaryKey.of(new byte[] {(byte) id});
  }

  private static CommitVersion version(long number) {
    return new CommitVersion(0, new Position(number, 0, 0), CommitVersion.STREAM, number);
  }

  /** Rows 101 to 105 at version 2. */
  private static final class Rows implements Seed {
    private static final long serialVersionUID = 1L;

    @Override
    public LiveRows read(BiConsumer<PrimaryKey, Mark> marks) {
      for (int id = 101; id <= 105; id++) {
        marks.accept(
            key(id), new Mark(version(2), Kind.UPSERT, Change.UNKNOWN_CONTENT, new byte[0]));
      }
      return LiveRows.NONE;
    }
  }
}
