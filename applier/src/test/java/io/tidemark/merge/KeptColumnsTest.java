package io.tidemark.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.Change;
import io.tidemark.change.CommitVersion;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.Position;
import io.tidemark.change.PrimaryKey;
import io.tidemark.change.SourceOffset;
import io.tidemark.change.Told;
import io.tidemark.change.Unsent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Columns that the source leaves out keep the value of the highest change that told it since the
 * row's insert or delete, whatever the order in which changes come, however often, in whatever
 * batches, and whatever of the state is lost between them.
 */
class KeptColumnsTest {
  private static final int CASES = 20_000;
  private static final PrimaryKey KEY = PrimaryKey.of(new byte[] {7});
  private static final List<String> COLUMNS = List.of("a", "b", "c");

  /** A table of one key, and the gate that keeps it. */
  private static final class Kept implements RowSource {
    private final Random random;
    private final boolean refuseUnknown;
    private boolean forgets = true;
    private Map<PrimaryKey, Mark> marks = new HashMap<>();
    private final Map<PrimaryKey, StoredRow> stored = new HashMap<>();
    private @Nullable Winner row;
    private @Nullable Winner tombstone;
    private int written;
    private int reads;
    private Gate gate;

    Kept(Random random, boolean refuseUnknown) {
      this.random = random;
      this.refuseUnknown = refuseUnknown;
      this.gate = gate();
    }

    private Gate gate() {
      RowStore store =
          new RowStore() {
            @Override
            public @Nullable StoredRow get(PrimaryKey key) {
              return forgets && random.nextInt(3) == 0 ? null : stored.get(key); // it may forget
            }

            @Override
            public void put(PrimaryKey key, StoredRow one) {
              stored.put(key, one);
            }

            @Override
            public void remove(PrimaryKey key) {
              if (random.nextBoolean()) { // or keep what is old
                stored.remove(key);
              }
            }
          };
      MarkStore markStore =
          new MarkStore() {
            @Override
            public @Nullable Mark get(PrimaryKey key) {
              return marks.get(key);
            }

            @Override
            public void put(PrimaryKey key, Mark mark) {
              marks.put(key, mark);
            }
          };
      return new Gate(
          markStore,
          bytes -> new byte[0],
          1 << 20,
          new KeptRows(store, this, KeptColumnsTest::splice, random.nextInt(20), refuseUnknown));
    }

    void flush() throws IOException {
      for (Winner winner : gate.flush()) {
        written++;
        boolean live = winner.change().kind() == Kind.UPSERT;
        assertThat(winner.replaced() != null).as("a delete for each row").isEqualTo(row != null);
        row = live ? winner : null;
        tombstone = live ? tombstone : winner;
      }
    }

    /** All that is left is the table. */
    void loseState() {
      stored.clear();
      marks = new HashMap<>();
      if (row != null) {
        marks.put(
            KEY,
            new Mark(
                row.change().version(),
                Kind.UPSERT,
                Change.UNKNOWN_CONTENT,
                new byte[0],
                row.kept()));
      } else if (tombstone != null) {
        marks.put(KEY, Mark.deleted(tombstone.change().version(), Mark.NEVER));
      }
      gate = gate();
    }

    @Override
    public Map<PrimaryKey, StoredRow> read(List<Wanted> wanted) {
      reads++;
      assertThat(row).isNotNull();
      Change change = row.change();
      Mark mark = wanted.get(0).mark();
      boolean found =
          change.version().equals(mark.version())
              || (row.kept().isEmpty() && change.contentHash() == mark.contentHash());
      assertThat(found).as("a row that is looked for is told by its version or content").isTrue();
      return Map.of(
          KEY,
          new StoredRow(
              change.version(), mark.contentHash(), change.sourceTimeMicros(), change.row()));
    }

    String shown() {
      return row == null ? "gone" : show(row.change().version(), text(row.change()), row.kept());
    }
  }

  @Test
  void anyOrderAnyRepetitionAnyBatchesAndAnyLossEndInTheSameRow() throws IOException {
    long seed = Long.getLong("tidemark.seed", 61);
    System.out.println("KeptColumnsTest: -Dtidemark.seed=" + seed);
    Random random = new Random(seed);
    int kept = 0;
    int unknown = 0;
    for (int i = 0; i < CASES; i++) {
      List<Change> changes = changes(random);
      List<Change> delivered = new ArrayList<>(changes);
      boolean ties =
          changes.stream().map(c -> c.version().position()).distinct().count() < changes.size();
      boolean sentAgain = !ties && random.nextBoolean();
      for (int n = random.nextInt(4); n > 0; n--) {
        Change copy = changes.get(random.nextInt(changes.size()));
        delivered.add(sentAgain ? at(copy, 100 + n) : copy);
      }
      Collections.shuffle(delivered, random);
      Kept table = new Kept(random, false);
      table.forgets = !sentAgain; // a copy's offset is taken for what is stored, and counts on it
      for (Change change : delivered) {
        table.gate.offer(change);
        if (random.nextInt(3) == 0) {
          table.flush();
          if (random.nextInt(3) == 0) {
            table.loseState();
          }
        }
      }
      table.flush();

      String expected = fold(changes);
      assertThat(table.shown()).as("case %s: %s", i, described(delivered)).isEqualTo(expected);
      kept += expected.contains("{}") ? 0 : 1;
      unknown += expected.contains("?") ? 1 : 0;

      int written = table.written;
      table.loseState();
      for (Change change : delivered) {
        table.gate.offer(change);
      }
      int reads = table.reads;
      table.flush();
      if (!ties && !sentAgain) { // what was learned of copies is lost with the state
        assertThat(table.written).as("a replay writes nothing").isEqualTo(written);
        assertThat(table.reads).as("nor does it read").isEqualTo(reads);
      }
    }
    System.out.println(
        "KeptColumnsTest: " + kept + " rows with kept columns, " + unknown + " unknown");
    assertThat(kept).isGreaterThan(CASES / 10);
    assertThat(unknown).isGreaterThan(CASES / 50);
  }

  @Test
  void copiesAtOtherOffsetsWriteNothing() throws IOException {
    Kept table = new Kept(new Random(1), false);
    table.gate.offer(whole(10, 0, "xyz"));
    table.gate.offer(update(12, 1, "-yw", "a"));
    table.flush();
    assertThat(table.shown()).startsWith(version(12, 0).toText() + " xyw");

    table.gate.offer(whole(10, 5, "xyz"));
    table.gate.offer(update(12, 6, "-yw", "a"));
    table.flush();

    assertThat(table.written).isEqualTo(1);
  }

  /** The row's content is learned after it was stored: its version is all that tells it. */
  @Test
  void aRowThatWasStoredBeforeItsContentWasKnownIsFoundAgain() throws IOException {
    Kept table = new Kept(new Random(1), false);
    table.forgets = false;
    Change standing = update(12, 10, "-yw", "a");
    table.gate.offer(standing);
    table.flush();
    table.loseState();

    table.gate.offer(whole(11, 2, "xyz"));
    table.flush(); // stored, its content unknown
    table.gate.offer(standing); // the content is learned
    table.gate.offer(at(standing, 20));
    table.gate.offer(update(13, 21, "-vv", "a"));
    table.flush();

    assertThat(table.shown())
        .isEqualTo(version(13, 0) + " xvv {a=" + version(11, 0).toText() + "}");
  }

  @Test
  void aColumnThatNobodyToldIsRefusedByName() {
    Kept table = new Kept(new Random(1), true);
    table.gate.offer(update(12, 1, "-yw", "a"));

    assertThatThrownBy(table::flush)
        .isInstanceOf(UnknownColumnException.class)
        .hasMessage(
            "topic t, partition 3, offset 1: column a: the source left its value out (TOAST), and no"
                + " change since the row was made tells it. Set REPLICA IDENTITY FULL on the source"
                + " table and update the row; to go on with null in the column, which _kept then"
                + " marks as unknown, set unknown-values: 'null' in the route; if the text is the"
                + " user's own, set unavailable-value");
  }

  @Test
  void anInsertThatLeavesAColumnOutIsNotFilledByWhatStoodBefore() throws IOException {
    Kept table = new Kept(new Random(1), false);
    table.gate.offer(whole(10, 0, "xyz"));
    table.gate.offer(insert(12, 1, "-yw", "a"));
    table.flush();
    table.gate.offer(update(11, 2, "v-z", "b"));
    table.flush();

    assertThat(table.shown())
        .isEqualTo(version(12, 0) + " -yw {a=?" + version(12, 0).toText() + "}");
  }

  private static List<Change> changes(Random random) {
    List<Change> changes = new ArrayList<>();
    int count = 1 + random.nextInt(6);
    for (int at = 0; at < count; at++) {
      // Positions tie now and then; offsets are unique, as they are in a partition.
      long position = 10 + (random.nextInt(6) == 0 ? Math.max(0, at - 1) : at);
      StringBuilder row = new StringBuilder();
      List<String> unsent = new ArrayList<>();
      for (String column : COLUMNS) {
        boolean left = random.nextBoolean();
        row.append(left ? '-' : (char) ('A' + random.nextInt(26)));
        if (left) {
          unsent.add(column);
        }
      }
      int kind = random.nextInt(10);
      if (kind == 0) {
        changes.add(new Change(KEY, Kind.DELETE, version(position, at), 0, bytes("---")));
      } else if (unsent.isEmpty() || kind < 3) {
        changes.add(whole(position, at, row.toString().replace('-', 'z')));
      } else {
        changes.add(
            kind == 3
                ? insert(position, at, row.toString(), unsent.toArray(new String[0]))
                : update(position, at, row.toString(), unsent.toArray(new String[0])));
      }
    }
    return changes;
  }

  /** What a reader of the log in its order would make of it. */
  private static String fold(List<Change> changes) {
    List<Change> sorted = new ArrayList<>(changes);
    sorted.sort(Comparator.comparing(Change::version));
    char[] row = {'-', '-', '-'};
    SortedMap<String, Told> kept = new TreeMap<>();
    Change last = sorted.get(sorted.size() - 1);
    COLUMNS.forEach(column -> kept.put(column, Told.NEVER));
    for (Change change : sorted) {
      Unsent unsent = change.unsent();
      for (int i = 0; i < row.length; i++) {
        String column = COLUMNS.get(i);
        boolean left = unsent != null && unsent.columns().contains(column);
        if (change.kind() == Kind.DELETE || (left && unsent.insert())) {
          row[i] = '-';
          kept.put(column, new Told(change.version(), false));
        } else if (!left) {
          row[i] = text(change).charAt(i);
          kept.put(column, new Told(change.version(), true));
        }
      }
    }
    kept.values().removeIf(told -> told.equals(new Told(last.version(), true)));
    return last.kind() == Kind.DELETE ? "gone" : show(last.version(), new String(row), kept);
  }

  /** Without the Kafka offsets: copies of a change write nothing. */
  private static String show(CommitVersion version, String row, SortedMap<String, Told> kept) {
    Map<String, String> told = new TreeMap<>();
    kept.forEach(
        (column, one) ->
            told.put(column, new Told(one.version().atOffset(0), one.known()).toText()));
    return version.atOffset(0) + " " + row + " " + told;
  }

  private static byte[] splice(byte[] row, Map<String, byte @Nullable []> columns) {
    byte[] spliced = Arrays.copyOf(row, row.length);
    columns.forEach(
        (column, from) -> {
          int at = COLUMNS.indexOf(column);
          spliced[at] = from == null ? (byte) '-' : from[at];
        });
    return spliced;
  }

  private static Change whole(long position, long offset, String row) {
    return new Change(KEY, Kind.UPSERT, version(position, offset), 0, bytes(row));
  }

  private static Change update(long position, long offset, String row, String... unsent) {
    return without(position, offset, row, false, unsent);
  }

  private static Change insert(long position, long offset, String row, String... unsent) {
    return without(position, offset, row, true, unsent);
  }

  private static Change without(
      long position, long offset, String row, boolean insert, String... unsent) {
    return new Change(
        KEY,
        Kind.UPSERT,
        version(position, offset),
        0,
        bytes(row),
        new Unsent(List.of(unsent), insert, new SourceOffset("t", 3, offset)));
  }

  /** The same event, sent once more. */
  private static Change at(Change change, long offset) {
    return new Change(
        change.key(),
        change.kind(),
        change.version().atOffset(offset),
        change.sourceTimeMicros(),
        change.row(),
        change.unsent());
  }

  private static CommitVersion version(long position, long offset) {
    return new CommitVersion(0, new Position(position, 0, 0), 0, offset);
  }

  private static List<String> described(List<Change> changes) {
    return changes.stream()
        .map(c -> "%s@%s %s %s".formatted(c.kind(), c.version(), text(c), c.unsent()))
        .toList();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(Change change) {
    return new String(change.row(), StandardCharsets.UTF_8);
  }
}
