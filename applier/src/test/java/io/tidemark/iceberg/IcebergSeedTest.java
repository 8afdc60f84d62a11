package io.tidemark.iceberg;

import static io.tidemark.iceberg.Orders.key;
import static io.tidemark.iceberg.Orders.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.Change;
import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.failure.RefusedException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IcebergSeedTest {
  @TempDir private Path directory;

  private Replica job(String... partition) {
    return new Replica(Catalogs.jdbcInMemory(directory), Orders.table(partition));
  }

  private static long snapshot(Replica job) {
    return job.foreign().currentSnapshot().snapshotId();
  }

  /** Of rows, deletes and tombstones, and what lists them. */
  @Test
  void aFileThatIsGoneIsRefusedByItsName() throws Exception {
    try (Replica job = new Replica(Catalogs.HADOOP.in(directory), Orders.table("region"))) {
      job.commit("c1", 1, put(1, 1, "eu", "a"), put(2, 1, "us", "b"));
      job.commit("c2", 2, put(1, 2, "eu", "c"), Orders.delete(2, 3));
      List<Path> files;
      try (Stream<Path> all = Files.walk(directory)) {
        files = all.filter(file -> file.toString().endsWith(".parquet")).toList();
      }
      assertThat(files).hasSizeGreaterThan(4);
      for (Path file : files) {
        Path aside = Files.move(file, directory.resolve("aside"));
        assertThatThrownBy(() -> Replica.seeded(job.catalog, snapshot(job), job.ledger.last()))
            .isInstanceOf(RefusedException.class)
            .hasMessageContaining("A file of table lake.shop.orders")
            .hasMessageContaining(" is gone: ")
            .hasMessageContaining(file.toString());
        Files.move(aside, file);
      }
      assertThat(Replica.seeded(job.catalog, snapshot(job), job.ledger.last())).hasSize(2);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void theMarksReadBackAreThoseThatTheGateHad(long seed) throws Exception {
    Random random = new Random(seed);
    String[][] partitions = {
      {}, {"region", "day(created_at)"}, {"bucket(3, id)", "truncate(2, note)"}
    };
    try (Replica job = job(partitions[(int) (seed % partitions.length)])) {
      long version = 0;
      for (int commit = 1; commit <= 4; commit++) {
        List<WrittenFiles> batches = new ArrayList<>();
        for (int batch = 0; batch < 2; batch++) {
          List<Change> changes = new ArrayList<>();
          for (int i = 0; i < 30; i++) {
            long id = random.nextInt(25);
            version++;
            changes.add(
                random.nextInt(4) == 0
                    ? Orders.delete(id, version)
                    : put(id, version, random.nextBoolean() ? "eu" : "", "n" + version));
          }
          batches.add(job.write(changes.toArray(new Change[0])));
        }
        job.commit("c" + commit, commit, batches);

        Map<PrimaryKey, Mark> seeded =
            Replica.seeded(job.catalog, snapshot(job), job.ledger.last());

        assertThat(seeded).isEqualTo(forgetfulOfContent(job.marks));
      }
    }
  }

  /** A table does not keep hashes of its rows. */
  private static Map<PrimaryKey, Mark> forgetfulOfContent(Map<PrimaryKey, Mark> marks) {
    Map<PrimaryKey, Mark> known = new HashMap<>();
    marks.forEach(
        (key, mark) ->
            known.put(
                key,
                mark.live()
                    ? new Mark(
                        mark.version(), mark.kind(), Change.UNKNOWN_CONTENT, mark.partitionValues())
                    : mark));
    return known;
  }

  /**
   * Several files, several threads, deletes that many files share and files that they do not reach.
   */
  @Test
  void everyFileIsReadOnceWithItsDeletes() throws Exception {
    try (Replica job = job("bucket(4, id)")) {
      for (int commit = 1; commit <= 6; commit++) {
        List<Change> changes = new ArrayList<>();
        for (long id = 0; id < 200; id++) {
          if ((id + commit) % 3 == 0) {
            changes.add(
                (id + commit) % 2 == 0
                    ? Orders.delete(id, commit)
                    : put(id, commit, "eu", "n" + commit));
          }
        }
        job.commit("c" + commit, commit, changes.toArray(new Change[0]));
      }
      List<PrimaryKey> live = new ArrayList<>();
      new IcebergSeed(job.catalog, Orders.TABLE, snapshot(job), null, null, null, false)
          .read(
              (key, mark) -> {
                synchronized (live) {
                  live.add(key);
                }
              });
      assertThat(live)
          .containsExactlyInAnyOrderElementsOf(
              job.marks.entrySet().stream()
                  .filter(mark -> mark.getValue().live())
                  .map(Map.Entry::getKey)
                  .toList());
    }
  }

  @Test
  void nothingIsReadAnyMoreOnceTheReadingHasFailed() throws Exception {
    try (Replica job = job("bucket(4, id)")) {
      for (long id = 0; id < 4; id++) {
        job.commit("c" + id, id, put(id, 1, "eu", "a"));
      }
      IcebergSeed seed =
          new IcebergSeed(job.catalog, Orders.TABLE, snapshot(job), null, null, null, false);
      AtomicInteger inside = new AtomicInteger();
      AtomicBoolean first = new AtomicBoolean(true);
      CountDownLatch second = new CountDownLatch(1);
      CountDownLatch never = new CountDownLatch(1);
      assertThatThrownBy(
              () ->
                  seed.read(
                      (key, mark) -> {
                        inside.incrementAndGet();
                        if (first.getAndSet(false)) {
                          await(second);
                          inside.decrementAndGet();
                          throw new UnsupportedOperationException("full");
                        }
                        second.countDown();
                        await(never);
                        LockSupport.parkNanos(200_000_000); // slow to give up
                        inside.decrementAndGet();
                      }))
          .hasMessage("full");
      assertThat(inside).hasValue(0);

      Thread caller = Thread.currentThread();
      assertThatThrownBy(
              () ->
                  seed.read(
                      (key, mark) -> {
                        caller.interrupt();
                        await(never);
                      }))
          .isInstanceOf(InterruptedException.class);
    }
  }

  /** Until it is open, the thread is interrupted, or there was no second thread. */
  private static void await(CountDownLatch latch) {
    try {
      var unused = latch.await(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      return; // whoever reads wants this thread to end
    }
  }

  @Test
  void twoLiveRowsOfOneKeyAreRefusedWithCounts() throws Exception {
    try (Replica job = job();
        Replica blind = job()) {
      job.commit("c1", 1, put(1, 1, "eu", "a"), put(2, 1, "eu", "b"), put(3, 1, "eu", "c"));
      blind.commit("c2", 2, put(1, 2, "us", "a"), put(2, 2, "us", "b"));
      blind.marks.clear();
      blind.commit("c3", 3, put(1, 3, "us", "a"));
      IcebergSeed seed =
          new IcebergSeed(job.catalog, Orders.TABLE, snapshot(job), null, null, null, false);

      assertThatThrownBy(() -> seed.read((key, mark) -> {}))
          .isInstanceOf(RefusedException.class)
          .hasMessage(
              "Table shop.orders holds more than one live row for 2 of its keys, 5 rows in all, at"
                  + " snapshot "
                  + snapshot(job)
                  + ". Nothing was written. Where Kafka still has the whole log, ./tidemark verify -c"
                  + " FILE --repair mends it; otherwise roll the table back to the snapshot before");
    }
  }

  @Test
  void seedAndFactoriesTravelToWhereTheyAreUsed() throws Exception {
    try (Replica job = job("region")) {
      job.commit("c1", 1, put(1, 1, "eu", "a"));
      IcebergSeed seed =
          new IcebergSeed(job.catalog, Orders.TABLE, snapshot(job), null, null, null, false);
      assertThat(copied(seed)).isEqualTo(seed);
      IcebergBatchWriterFactory writers =
          new IcebergBatchWriterFactory(
              job.catalog, Orders.TABLE, Orders.SHAPE, job.table.version());
      assertThat(copied(writers)).isEqualTo(writers);
      IcebergLedgerFactory ledgers =
          new IcebergLedgerFactory(job.catalog, Orders.TABLE, job.table.version(), null);
      assertThat(copied(ledgers)).isEqualTo(ledgers);
    }
  }

  private static Object copied(Object object) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return in.readObject();
    }
  }

  @Test
  void seenKeysNeverForget() {
    SeenKeys seen = new SeenKeys();
    for (long id = 0; id < 20_000; id++) {
      assertThat(seen.add(key(id))).isTrue();
    }
    for (long id = 0; id < 20_000; id++) {
      assertThat(seen.add(key(id))).isFalse();
    }
  }
}
