package io.tidemark.merge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.Change;
import io.tidemark.change.CommitVersion;
import io.tidemark.change.Join;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.Position;
import io.tidemark.change.PrimaryKey;
import io.tidemark.change.SourceOffset;
import io.tidemark.change.Told;
import io.tidemark.change.Unsent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GateTest {
  private final Map<PrimaryKey, Mark> marks = new HashMap<>();
  private final Gate gate = gate(1 << 20);

  @Test
  void aNewKeyReplacesNothing() throws IOException {
    gate.offer(put(1, 10, 0, "a"));

    assertThat(gate.flush()).singleElement().extracting(Winner::replaced).isNull();
  }

  @Test
  void aKnownRowIsReplacedWhereItLies() throws IOException {
    gate.offer(put(1, 10, 0, "a"));
    gate.flush();
    gate.offer(put(1, 11, 1, "b"));

    Winner winner = gate.flush().get(0);

    assertThat(winner.replaced()).extracting(Mark::partitionValues).isEqualTo(bytes("a"));
    assertThat(winner.change().row()).isEqualTo(bytes("b"));
  }

  @Test
  void aDeletedKeyIsInsertedWithoutADelete() throws IOException {
    gate.offer(put(1, 10, 0, "a"));
    gate.flush();
    gate.offer(delete(1, 11, 1));
    assertThat(gate.flush().get(0).replaced())
        .extracting(Mark::partitionValues)
        .isEqualTo(bytes("a"));

    gate.offer(put(1, 12, 2, "b"));

    assertThat(gate.flush().get(0).replaced()).isNull();
  }

  @Test
  void aDeleteOfAnUnknownKeyIsStillAWinner() throws IOException {
    gate.offer(delete(1, 11, 1));
    assertThat(gate.flush()).hasSize(1);

    gate.offer(put(1, 10, 2, "late"));

    assertThat(gate.flush()).isEmpty();
  }

  @Test
  void oneWinnerPerKeyAndBatch() throws IOException {
    gate.offer(put(1, 10, 0, "a"));
    gate.offer(put(1, 12, 1, "c"));
    gate.offer(put(1, 11, 2, "b"));
    gate.offer(put(2, 13, 3, "x"));

    assertThat(gate.flush())
        .extracting(winner -> new String(winner.change().row()))
        .containsExactlyInAnyOrder("c", "x");
    assertThat(gate.superseded()).isEqualTo(1);
  }

  @Test
  void aCopyWritesNothing() throws IOException {
    gate.offer(put(1, 10, 0, "a"));
    gate.flush();

    gate.offer(put(1, 10, 7, "a"));

    assertThat(gate.isEmpty()).isTrue();
    assertThat(gate.duplicates()).isEqualTo(1);
  }

  @Test
  void aCopyRaisesTheOffsetOfItsMark() throws IOException {
    gate.offer(put(1, 10, 0, "a"));
    gate.flush();
    gate.offer(put(1, 10, 7, "a"));

    gate.offer(put(1, 10, 5, "between the copies"));

    assertThat(gate.flush()).isEmpty();
  }

  @Test
  void atOnePositionTheHigherOffsetStands() throws IOException {
    gate.offer(put(1, 10, 5, "first"));
    gate.flush();

    gate.offer(put(1, 10, 6, "second"));

    assertThat(gate.flush())
        .singleElement()
        .extracting(w -> new String(w.change().row()))
        .isEqualTo("second");
  }

  @Test
  void aSeededMarkLearnsItsContentFromTheReplay() throws IOException {
    PrimaryKey key = key(1);
    marks.put(key, new Mark(version(10, 3), Kind.UPSERT, Change.UNKNOWN_CONTENT, bytes("a")));

    gate.offer(put(1, 10, 3, "a"));
    gate.offer(put(1, 10, 9, "a"));

    assertThat(gate.flush()).isEmpty();
    assertThat(marks.get(key).contentHash()).isEqualTo(put(1, 10, 3, "a").contentHash());
    assertThat(marks.get(key).version().offset()).isEqualTo(9);
  }

  @Test
  void winnersCountAgainstTheBudget() throws IOException {
    Gate small = gate(1000);
    small.offer(put(1, 10, 0, "a"));
    assertThat(small.isFull()).isFalse();

    small.offer(put(2, 11, 1, "b".repeat(1000)));

    assertThat(small.isFull()).isTrue();
    small.flush();
    assertThat(small.isFull()).isFalse();
  }

  @Test
  void beforeTheHorizonOnlyKnownKeysAreJudged() throws IOException {
    gate.offer(put(1, 10, 1, "live"));
    gate.flush();
    gate.offer(put(2, 10, 2, "waits for its batch"));
    gate.moveHorizon(1); // all changes here were made at 0

    assertThat(gate.offer(put(1, 9, 3, "late"))).isTrue();
    assertThat(gate.offer(put(1, 11, 4, "newer"))).isTrue();
    assertThat(gate.offer(put(2, 11, 5, "newer"))).isTrue();
    assertThat(gate.offer(put(3, 11, 6, "unknown"))).isFalse();
    assertThat(gate.offer(delete(3, 11, 7))).isTrue(); // deletes nothing, and is not remembered
    assertThat(gate.offer(put(3, 12, 8, "unknown"))).isFalse();
    gate.moveHorizon(0);
    assertThat(gate.offer(put(3, 5, 9, "a new key"))).isTrue();
    Map<PrimaryKey, String> rows = new TreeMap<>(Map.of(key(1), "live"));
    apply(gate.flush(), rows);
    assertThat(rows).isEqualTo(Map.of(key(1), "newer", key(2), "newer", key(3), "a new key"));
  }

  @Test
  void anOldChangeStillTellsAColumnThatAnOlderOneToldTheRow() throws IOException {
    known(new Told(version(5, 0), true));
    gate.moveHorizon(1);

    assertThat(gate.offer(put(1, 7, 1, "told"))).isTrue();

    assertThat(gate.flush())
        .singleElement()
        .extracting(winner -> winner.kept().get("wide"))
        .isEqualTo(new Told(version(7, 1), true));
  }

  /** Of delete 8, forgotten, and update 10, whose insert was left out, 7 must not tell a column. */
  @Test
  void anOldChangeDoesNotTellAColumnThatWasNeverTold() throws IOException {
    known(Told.NEVER);
    gate.moveHorizon(1);

    assertThat(gate.offer(put(1, 7, 1, "of the row before"))).isFalse();
    assertThat(gate.offer(delete(1, 6, 2))).isTrue();
    assertThat(gate.isEmpty()).isTrue();
    assertThat(gate.offer(put(1, 7, 1, "of the row before"))).isFalse();
    assertThat(gate.offer(put(1, 11, 3, "higher"))).isTrue();
    assertThat(gate.flush()).hasSize(1);
  }

  @Test
  void anOldChangeDoesNotTellAColumnThatWasNeverToldWhileTheRowWaits() throws IOException {
    gate.moveHorizon(1);
    gate.offer(without(1, 10, 0, 1));

    assertThat(gate.offer(put(1, 7, 1, "of the row before"))).isFalse();
    assertThat(gate.offer(delete(1, 6, 2))).isTrue();
    assertThat(gate.offer(put(1, 7, 1, "of the row before"))).isFalse();
    assertThat(gate.offer(new Change(key(1), Kind.UPSERT, version(9, 4), 1, bytes("told"))))
        .isTrue();
    assertThat(gate.flush())
        .singleElement()
        .extracting(winner -> winner.kept().get("wide"))
        .isEqualTo(new Told(version(9, 4), true));
  }

  private void known(Told wide) {
    marks.put(
        key(1),
        new Mark(
            version(10, 0),
            Kind.UPSERT,
            Change.UNKNOWN_CONTENT,
            bytes("a"),
            new TreeMap<>(Map.of("wide", wide))));
  }

  /** However the log is cut, ordered and repeated, the same marks and the same rows remain. */
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89})
  void anyOrderRepetitionAndCutsEndInTheSameRows(long seed) throws IOException {
    Random random = new Random(seed);
    List<Change> log = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      int key = random.nextInt(12);
      int position = random.nextInt(60);
      log.add(random.nextInt(4) == 0 ? delete(key, position, i) : put(key, position, i, "row" + i));
    }
    Map<PrimaryKey, Mark> expected = new TreeMap<>();
    for (Change change : log) {
      Mark mark =
          change.kind() == Kind.DELETE
              ? Mark.deleted(change.version(), change.sourceTimeMicros())
              : new Mark(change.version(), change.kind(), change.contentHash(), change.row());
      expected.merge(change.key(), mark, Join::highest);
    }
    List<Change> delivered = new ArrayList<>(log);
    delivered.addAll(log.subList(0, 200));
    Collections.shuffle(delivered, random);
    Map<PrimaryKey, String> table = new TreeMap<>();
    for (Change change : delivered) {
      gate.offer(change);
      if (random.nextInt(20) == 0) {
        apply(gate.flush(), table);
      }
    }
    apply(gate.flush(), table);

    assertThat(new TreeMap<>(marks)).isEqualTo(expected);
    Map<PrimaryKey, String> rows = new TreeMap<>();
    expected.forEach(
        (key, mark) -> {
          if (mark.live()) {
            rows.put(key, text(mark.partitionValues()));
          }
        });
    assertThat(table).isEqualTo(rows);
  }

  /** A table that fails when told to delete what is not there, or not to delete what is. */
  private static void apply(List<Winner> winners, Map<PrimaryKey, String> table) {
    for (Winner winner : winners) {
      PrimaryKey key = winner.change().key();
      String there = table.remove(key);
      Mark replaced = winner.replaced();
      assertThat(replaced == null ? null : text(replaced.partitionValues())).isEqualTo(there);
      if (winner.change().kind() == Kind.UPSERT) {
        table.put(key, new String(winner.change().row()));
      }
    }
  }

  private Gate gate(long budgetBytes) {
    MarkStore store =
        new MarkStore() {
          @Override
          public Mark get(PrimaryKey key) {
            return marks.get(key);
          }

          @Override
          public void put(PrimaryKey key, Mark mark) {
            marks.put(key, mark);
          }
        };
    return new Gate(store, row -> Arrays.copyOf(row, row.length), budgetBytes, null);
  }

  private static Change put(int key, long position, long offset, String row) {
    return new Change(key(key), Kind.UPSERT, version(position, offset), 0, bytes(row));
  }

  private static Change without(int key, long position, long offset, long sourceTime) {
    return new Change(
        key(key),
        Kind.UPSERT,
        version(position, offset),
        sourceTime,
        bytes("b"),
        new Unsent(List.of("wide"), false, new SourceOffset("t", 0, offset)));
  }

  private static Change delete(int key, long position, long offset) {
    return new Change(key(key), Kind.DELETE, version(position, offset), 0, bytes(""));
  }

  private static CommitVersion version(long position, long offset) {
    return new CommitVersion(0, new Position(position, 0, 0), CommitVersion.STREAM, offset);
  }

  private static PrimaryKey key(int key) {
    return PrimaryKey.of(new byte[] {(byte) key});
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }
}
