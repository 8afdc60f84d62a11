package io.tidemark.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.Change;
import io.tidemark.change.CommitVersion;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.Position;
import io.tidemark.change.PrimaryKey;
import io.tidemark.commit.LiveRows;
import io.tidemark.merge.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MarkSpoolTest {
  private static final int KEYS = 5_000;
  private static final int MAX_PARALLELISM = 128;
  private static final int SUBTASKS = 3;

  @TempDir private Path directory;

  @Test
  void eachSubtaskGetsTheMarksOfItsKeysWhicheverThreadReadThem() throws Exception {
    Seed seed =
        marks -> {
          IntStream.range(0, KEYS).parallel().forEach(i -> marks.accept(key(i), mark(i)));
          return new LiveRows(KEYS, 7);
        };
    Map<PrimaryKey, Mark> found = new HashMap<>();
    try (MarkSpool spool = MarkSpool.fill(seed, MAX_PARALLELISM, SUBTASKS, directory)) {
      for (int subtask = 0; subtask < SUBTASKS; subtask++) {
        int mine = subtask;
        try (MarkSpool.Part part = Objects.requireNonNull(spool.take(subtask))) {
          assertThat(part.rows()).isEqualTo(new LiveRows(KEYS, 7));
          part.forEach(
              (key, mark) -> {
                assertThat(
                        KeyGroupRangeAssignment.assignKeyToParallelOperator(
                            key, MAX_PARALLELISM, SUBTASKS))
                    .isEqualTo(mine);
                assertThat(found.put(key, mark)).isNull();
              });
        }
        assertThat(spool.take(subtask)).isNull();
      }
    }
    assertThat(found).hasSize(KEYS);
    IntStream.range(0, KEYS).forEach(i -> assertThat(found).containsEntry(key(i), mark(i)));
    assertThat(files()).isEmpty();
  }

  @Test
  void partsThatNobodyTookAreDeleted() throws Exception {
    Seed seed =
        marks -> {
          marks.accept(key(1), mark(1));
          return LiveRows.NONE;
        };
    MarkSpool.fill(seed, MAX_PARALLELISM, SUBTASKS, directory).close();
    assertThat(files()).isEmpty();
  }

  @Test
  void aReadingThatFailsLeavesNothing() {
    Seed seed =
        marks -> {
          marks.accept(key(1), mark(1));
          throw new IOException("The marks of table shop.orders could not be read");
        };
    assertThatThrownBy(() -> MarkSpool.fill(seed, MAX_PARALLELISM, SUBTASKS, directory))
        .hasMessage("The marks of table shop.orders could not be read");
    assertThat(files()).isEmpty();
  }

  private List<Path> files() {
    try (Stream<Path> files = Files.list(directory)) {
      return new ArrayList<>(files.toList());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static PrimaryKey key(int id) {
    return PrimaryKey.of(ByteBuffer.allocate(4).putInt(id).array());
  }

  private static Mark mark(int id) {
    CommitVersion version = new CommitVersion(0, new Position(id, 0, 0), CommitVersion.STREAM, id);
    return id % 3 == 0
        ? Mark.deleted(version, id)
        : new Mark(version, Kind.UPSERT, Change.UNKNOWN_CONTENT, new byte[id % 5]);
  }
}
