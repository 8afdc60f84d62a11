package io.tidemark.iceberg;

import static io.tidemark.iceberg.Orders.delete;
import static io.tidemark.iceberg.Orders.key;
import static io.tidemark.iceberg.TombstoneLogTest.append;
import static io.tidemark.iceberg.TombstoneLogTest.buried;
import static io.tidemark.iceberg.TombstoneLogTest.orphan;
import static io.tidemark.iceberg.TombstoneLogTest.pin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.CommitRefusedException;
import io.tidemark.commit.WrittenFiles;
import java.nio.file.Path;
import java.util.List;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.exceptions.BadRequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Expiry by others, while the tombstones that a record names are not the current ones. */
class KeptTombstonesTest {
  @TempDir private Path directory;

  private Replica job() {
    return new Replica(Catalogs.jdbcInMemory(directory), Orders.table());
  }

  @ParameterizedTest
  @EnumSource
  void pinUnderAnOrphanOutlivesCompactionAndExpiry(Catalogs kind) throws Exception {
    try (Replica job = new Replica(kind.in(directory), Orders.table())) {
      tagsExpire(job);
      CommitRecord first = job.commit("c1", 1, delete(1, 1));
      orphan(job, first.tombstoneSnapshot(), "never", job.write(delete(2, 2)));
      Compaction.run(job.foreignTombstones());
      Compaction.expire(job.foreignTombstones());

      assertThat(buried(job, first)).containsOnlyKeys(key(1));
      CommitRecord second = job.commit("c2", 2, delete(3, 3));
      Compaction.expire(job.foreignTombstones());
      assertThat(buried(job, second)).containsOnlyKeys(key(1), key(3));
    }
  }

  /** They do by this, unless a tag says something else. */
  private static void tagsExpire(Replica job) {
    job.foreignTombstones().updateProperties().set(TableProperties.MAX_REF_AGE_MS, "1").commit();
  }

  @Test
  void pinOfAnEarlierTidemarkIsKeptFromTheNextStartOn() throws Exception {
    try (Replica job = job()) {
      CommitRecord first = job.commit("c1", 1, delete(1, 1));
      orphan(job, first.tombstoneSnapshot(), "never", job.write(delete(2, 2)));
      Compaction.dropTags(job.foreignTombstones());
      try (Replica started = job()) {
        Compaction.expire(started.foreignTombstones());
        assertThat(buried(started, first)).containsOnlyKeys(key(1));
      }
    }
  }

  @Test
  void whatCompactionLeftOfAnEarlierPinIsKeptUnderItsName() throws Exception {
    try (Replica job = job()) {
      CommitRecord first = job.commit("c1", 1, delete(1, 1));
      Compaction.run(job.foreignTombstones());
      Compaction.dropTags(job.foreignTombstones());
      Compaction.expire(job.foreignTombstones());
      orphan(job, first.tombstoneSnapshot(), "never", job.write(delete(2, 2)));
      Compaction.run(job.foreignTombstones());
      Compaction.expire(job.foreignTombstones());

      assertThat(buried(job, first)).containsOnlyKeys(key(1));
      CommitRecord second = job.commit("c2", 2, delete(3, 3));
      assertThat(buried(job, second)).containsOnlyKeys(key(1), key(3));
    }
  }

  @Test
  void expiredPinUnderAnOrphanIsRefusedWithBothNamed() throws Exception {
    try (Replica job = job()) {
      CommitRecord first = job.commit("c1", 1, delete(1, 1));
      long head = orphan(job, first.tombstoneSnapshot(), "never", job.write(delete(2, 2)));
      Compaction.dropTags(job.foreignTombstones());
      Compaction.expire(job.foreignTombstones());

      String problem =
          "snapshot "
              + first.tombstoneSnapshot()
              + " of "
              + job.foreignTombstones().name()
              + " was expired, and its current snapshot "
              + head
              + " does not descend from it";
      assertThatThrownBy(() -> buried(job, first))
          .isInstanceOf(CommitRefusedException.class)
          .hasMessageContaining(problem);
      assertThatThrownBy(() -> job.commit("c2", 2, delete(3, 3)))
          .isInstanceOf(CommitRefusedException.class)
          .hasMessageContaining(problem);
    }
  }

  @Test
  void onlyWhatARecordNamesOrMayNameIsKept() throws Exception {
    try (Replica job = job()) {
      CommitRecord first = job.commit("c1", 1, delete(1, 1));
      assertThat(tagged(job)).containsExactly(pin(first));
      long never = orphan(job, pin(first), "never", job.write(delete(2, 2)));
      CommitRecord second = job.commit("c2", 2, delete(3, 3));
      assertThat(tagged(job))
          .as("the commit of the orphan may have landed in the place of c2")
          .containsExactlyInAnyOrder(pin(first), never, pin(second));
      CommitRecord third = job.commit("c3", 3, delete(4, 4));
      assertThat(tagged(job)).containsExactlyInAnyOrder(pin(second), pin(third));

      orphan(job, pin(first), "of a job that is late", job.write(delete(5, 5)));
      assertThat(tagged(job)).contains(pin(second), pin(third));
    }
  }

  @Test
  void aCatalogThatTakesNoTagsIsNamed() throws Exception {
    try (Replica job = job()) {
      CommitRecord first = job.commit("c1", 1, delete(1, 1));
      Table table = tagless(job);
      WrittenFiles files = job.write(delete(2, 2));

      assertThatThrownBy(() -> append(table, pin(first), "c2", files))
          .isInstanceOf(BadRequestException.class) // five of them stop a job
          .hasMessageContaining(
              "refuses a commit that sets tags (tidemark-…) of table tombstones, by which tombstones"
                  + " outlive expiry: no references here");
      Compaction.dropTags(job.foreignTombstones());
      assertThatThrownBy(() -> TombstoneLog.keep(tagless(job), pin(first)))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("If it takes no tags at all, keep the table in another catalog");
    }
  }

  private static Table tagless(Replica job) {
    return new BaseTable(new Tagless(job.foreignTombstones()), "tombstones");
  }

  private static final class Tagless extends ForwardingOperations {
    Tagless(Table table) {
      super(((HasTableOperations) table).operations());
    }

    @Override
    public void commit(TableMetadata base, TableMetadata metadata) {
      throw new UnsupportedOperationException("no references here");
    }
  }

  private static List<Long> tagged(Replica job) {
    return job.foreignTombstones().refs().values().stream()
        .filter(SnapshotRef::isTag)
        .map(SnapshotRef::snapshotId)
        .toList();
  }
}
