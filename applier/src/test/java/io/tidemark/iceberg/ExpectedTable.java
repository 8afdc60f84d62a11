package io.tidemark.iceberg;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.Change;
import io.tidemark.change.CommitVersion;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.Retention;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/** What a table and its tombstones must hold, by what is known to have landed. */
final class ExpectedTable {
  private final Map<Long, Change> truth = new HashMap<>();
  private final Map<Long, Change> buried = new HashMap<>();
  private final List<Change> tombstones = new ArrayList<>();
  private final List<String> landed = new ArrayList<>();
  private @Nullable CommitRecord last;
  private long droppedBefore = Retention.NONE;

  void landed(@Nullable CommitRecord answer, List<Change> changes, String id) {
    assertThat(answer).isNotNull();
    assertThat(answer.commitId()).isEqualTo(id);
    if (last != null && changes.stream().anyMatch(c -> c.kind() == Kind.DELETE)) {
      droppedBefore = forgottenBefore(last);
    }
    last = answer;
    landed.add(id);
    for (Change change : changes) {
      long row = id(change);
      if (change.kind() == Kind.DELETE) {
        tombstones.add(change);
        buried.put(row, change);
        truth.remove(row);
      } else {
        truth.put(row, change);
      }
    }
  }

  /** The record; null as long as nothing landed. */
  @Nullable CommitRecord last() {
    return last;
  }

  @Nullable String parent() {
    return last == null ? null : last.commitId();
  }

  @Nullable Long pinned() {
    return last == null ? null : last.tombstoneSnapshot();
  }

  List<String> landed() {
    return landed;
  }

  /** What was dropped when tombstones were committed last. */
  long droppedBefore() {
    return droppedBefore;
  }

  Map<Long, String> rows() {
    Map<Long, String> rows = new TreeMap<>();
    truth.forEach((id, change) -> rows.put(id, change.version().toText()));
    return rows;
  }

  /** The tombstones of that source time and later ones. */
  List<String> remembered(long from) {
    return tombstones.stream()
        .filter(change -> change.sourceTimeMicros() >= from)
        .map(change -> id(change) + "@" + change.version().toText())
        .toList();
  }

  static long forgottenBefore(CommitRecord record) {
    return Retention.forgottenBefore(Retention.micros(record.horizon()));
  }

  /** The marks that a start without state reads. */
  Map<PrimaryKey, Mark> marks(Table table) {
    Map<PrimaryKey, Mark> marks = new HashMap<>();
    long from = last == null ? Retention.NONE : forgottenBefore(last);
    for (Change change : buried.values()) {
      long at = change.sourceTimeMicros();
      if (at >= from) {
        marks.put(change.key(), Mark.deleted(change.version(), at));
      }
    }
    RowPlacement placement = new RowPlacement(table.schema(), table.specs().values(), Orders.SHAPE);
    for (Change change : truth.values()) {
      CommitVersion at = change.version();
      marks.put(
          change.key(),
          new Mark(at, Kind.UPSERT, Change.UNKNOWN_CONTENT, placement.of(change.row())));
    }
    return marks;
  }

  private static long id(Change change) {
    for (long id = 0; id < 8; id++) {
      if (Orders.key(id).equals(change.key())) {
        return id;
      }
    }
    throw new AssertionError(change);
  }
}
