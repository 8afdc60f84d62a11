package io.tidemark.iceberg;

import static io.tidemark.iceberg.Orders.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.Change;
import io.tidemark.change.Kind;
import io.tidemark.change.SourceOffset;
import io.tidemark.change.Unsent;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.failure.RefusedException;
import io.tidemark.flink.row.BinaryRowEncoder;
import io.tidemark.merge.RowSource;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows that lie where the values say that the source left out. */
class KeptRowsTest {
  @TempDir private Path directory;

  private Replica job() {
    return new Replica(
        Catalogs.jdbcInMemory(directory), Orders.table("region", "truncate(2, note)"));
  }

  @Test
  void aRowIsFoundAndReplacedWhereItsUnsentColumnsPutIt() throws Exception {
    try (Replica job = job()) {
      WrittenFiles first = job.write(put(1, 1, "eu", "aaaa"), put(2, 1, "eu", "bbbb"));
      WrittenFiles second = job.write(without(1, 4, "us")); // out of a file that no table knows
      assertThat(second.stats().equalityDeletes()).isEqualTo(1);
      job.commit("c1", 1, List.of(first, second));
      assertThat(job.rows()).isEqualTo(Map.of(1L, "us/aaaa", 2L, "eu/bbbb"));

      job.seed();
      job.commit("c2", 2, without(2, 5, "us")); // out of the table
      assertThat(job.rows()).isEqualTo(Map.of(1L, "us/aaaa", 2L, "us/bbbb"));

      job.seed();
      job.commit("c3", 3, put(1, 3, "as", "cccc"), put(2, 2, "as", "dddd"));
      assertThat(job.rows()).isEqualTo(Map.of(1L, "us/cccc", 2L, "us/dddd"));

      job.seed();
      WrittenFiles again =
          job.write(
              without(1, 4, "us"),
              without(2, 5, "us"),
              put(1, 3, "as", "cccc"),
              put(2, 2, "as", "dddd"));
      assertThat(again.data()).isEmpty();
      assertThat(again.deletes()).isEmpty();
    }
  }

  /** A copy has raised the mark's offset: the content tells that it is the same row. */
  @Test
  void aRowIsFoundAfterACopyOfItsChange() throws Exception {
    try (Replica job = job()) {
      Change change = put(1, 1, "eu", "aaaa");
      job.commit("c1", 1, change);
      job.write(
          new Change(
              change.key(), change.kind(), change.version().atOffset(9), 1000, change.row()));
      job.commit("c2", 2, without(1, 4, "us"));

      assertThat(job.rows()).isEqualTo(Map.of(1L, "us/aaaa"));
    }
  }

  /** Else the value that was left out would be taken from a row that this job knows nothing of. */
  @Test
  void aRowThatAnotherJobReplacedOrARollbackTookAwayStopsTheJob() throws Exception {
    try (Replica job = job();
        Replica other = new Replica(job.catalog, Orders.table("region", "truncate(2, note)"))) {
      job.commit("c1", 1, put(1, 1, "eu", "aaaa"));
      long first = job.foreign().currentSnapshot().snapshotId();
      job.commit("c2", 2, put(2, 2, "eu", "bbbb"));
      job.seed();
      other.seed();
      other.commit("c3", 3, put(1, 3, "as", "cccc"));
      assertIsGone(job, without(1, 5, "us"));

      other.foreign().manageSnapshots().rollbackTo(first).commit();
      assertIsGone(job, without(2, 6, "us"));
    }
  }

  /** Between planning and reading; once or twice is no proof. */
  @Test
  void aRowIsFoundAfterItsFileWasCompactedAndExpiredUnderTheReader() throws Exception {
    try (Replica job = job()) {
      job.commit("c1", 1, put(1, 1, "eu", "aaaa"));
      job.commit("c2", 2, put(2, 2, "eu", "bbbb"));
      Table before = job.foreign();
      Compaction.run(job.foreign());
      Compaction.expire(job.foreign());
      List<RowSource.Wanted> wanted =
          List.of(
              new RowSource.Wanted(
                  Orders.key(1),
                  Replica.seeded(job.catalog, snapshot(job), job.ledger.last()).get(Orders.key(1)),
                  put(1, 1, "eu", "aaaa").row()));

      Deque<Table> shown = new ArrayDeque<>(List.of(before, before, job.foreign()));
      assertThat(new WrittenRows(before, shown::remove, Orders.SHAPE).read(wanted)).hasSize(1);
      assertThatThrownBy(() -> new WrittenRows(before, () -> before, Orders.SHAPE).read(wanted))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("A file of table " + before.name() + " is gone: ");
    }
  }

  private static long snapshot(Replica job) {
    return job.foreign().currentSnapshot().snapshotId();
  }

  private static void assertIsGone(Replica job, Change change) {
    assertThatThrownBy(() -> job.write(change))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("does not hold a row any more that it held when this job started");
  }

  /** An update that leaves the note as it was. */
  private static Change without(long id, long version, String region) {
    BinaryRowEncoder row = new BinaryRowEncoder(Orders.SHAPE);
    row.setLong(0, id);
    row.setString(1, region);
    row.setLong(2, id % 7 * 86_400_000_000L);
    return new Change(
        Orders.key(id),
        Kind.UPSERT,
        Orders.version(version),
        version * 1000,
        row.finish(),
        new Unsent(List.of("note"), false, new SourceOffset("shop.public.orders", 0, version)));
  }
}
