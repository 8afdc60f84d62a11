package io.tidemark.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.Change;
import io.tidemark.change.CommitVersion;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.Position;
import io.tidemark.change.PrimaryKey;
import io.tidemark.change.RemovedRow;
import io.tidemark.change.SourceOffset;
import io.tidemark.change.Unsent;
import io.tidemark.failure.BadEventException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A delete whose row is not the one that its own transaction put under its key. */
class ExchangedKeysTest {
  private static final PrimaryKey KEY = PrimaryKey.of(new byte[] {2});

  private final Map<PrimaryKey, Mark> marks = new HashMap<>();
  private final Gate gate =
      new Gate(
          new MarkStore() {
            @Override
            public Mark get(PrimaryKey key) {
              return marks.get(key);
            }

            @Override
            public void put(PrimaryKey key, Mark mark) {
              marks.put(key, mark);
            }
          },
          row -> new byte[0],
          1 << 20,
          null);

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDeleteOfAnotherRowStopsWithItsPlace(boolean written) throws IOException {
    gate.offer(put(90, 100, 'a'));
    if (written) {
      gate.flush();
    }

    assertThatThrownBy(() -> gate.offer(delete(90, 101, 'b')))
        .isInstanceOf(BadEventException.class)
        .hasMessageStartingWith(
            "topic t, partition 0, offset 101: op d: the row in before is not the one that the same"
                + " transaction put under this key: rows exchanged their keys");
  }

  @Test
  void aRowThatMovedTwiceOrWasDeletedIsTheOneThatStands() throws IOException {
    gate.offer(put(90, 100, 'a'));
    gate.offer(delete(90, 101, 'a'));
    gate.flush();
    assertThat(marks.get(KEY).live()).isFalse();

    gate.offer(delete(90, 101, 'b')); // a copy of nothing that stands
    gate.offer(put(91, 200, 'b'));
    gate.offer(put(91, 201, 'c'));
    gate.offer(delete(91, 202, 'c'));
    gate.flush();
    assertThat(marks.get(KEY).live()).isFalse();
  }

  /** They may be read otherwise than they are streamed, or were never seen. */
  @Test
  void rowsOfSnapshotsAndOfOtherTransactionsAreNotCompared() throws IOException {
    gate.offer(put(80, 100, 'a'));
    gate.offer(delete(90, 201, 'b'));
    gate.offer(put(90, 0, 'a'));
    gate.offer(delete(90, 301, 'b'));
    gate.flush();
    assertThat(marks.get(KEY).live()).isFalse();

    Position snapshot = new Position(95, 400, 0);
    gate.offer(upsert(new CommitVersion(0, snapshot, CommitVersion.SNAPSHOT, 400), 'a', null));
    gate.offer(delete(95, 401, 'b'));
    gate.flush();
    assertThat(marks.get(KEY).live()).isFalse();
  }

  @Test
  void aRowWhoseContentIsNotKnownIsNotCompared() throws IOException {
    marks.put(KEY, new Mark(version(90, 100), Kind.UPSERT, Change.UNKNOWN_CONTENT, new byte[0]));
    gate.offer(delete(90, 101, 'b'));
    gate.flush();

    Unsent unsent = new Unsent(List.of("wide"), true, new SourceOffset("t", 0, 200));
    gate.offer(upsert(version(91, 200), 'a', unsent));
    gate.offer(delete(91, 201, 'b'));
    gate.flush();
    assertThat(marks.get(KEY).live()).isFalse();
  }

  @Test
  void anOldDeleteIsNobodysBusiness() throws IOException {
    gate.offer(put(90, 100, 'a'));
    gate.offer(delete(90, 99, 'b'));
    gate.flush();
    assertThat(marks.get(KEY).live()).isTrue();
  }

  private static Change put(long transaction, long lsn, char row) {
    return upsert(version(transaction, lsn), row, null);
  }

  private static Change upsert(CommitVersion version, char row, Unsent unsent) {
    return new Change(KEY, Kind.UPSERT, version, 0, new byte[] {(byte) row}, unsent);
  }

  private static Change delete(long transaction, long lsn, char row) {
    long hash = Change.contentHash(new byte[] {(byte) row}, null);
    return new Change(
        KEY,
        Kind.DELETE,
        version(transaction, lsn),
        0,
        new byte[0],
        null,
        new RemovedRow(hash, new SourceOffset("t", 0, lsn)));
  }

  private static CommitVersion version(long transaction, long lsn) {
    return new CommitVersion(0, new Position(transaction, lsn, 0), CommitVersion.STREAM, lsn);
  }
}
