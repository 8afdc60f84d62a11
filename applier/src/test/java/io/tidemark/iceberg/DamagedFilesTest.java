package io.tidemark.iceberg;

import static io.tidemark.iceberg.Orders.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.UnavailableException;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.failure.RefusedException;
import io.tidemark.merge.RowSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each kind of file, damaged in each way, under everything that reads it: what was asked is
 * answered as ever, or refused by the name of that file. Never wrongly, and in no other words.
 */
class DamagedFilesTest {
  @TempDir private Path directory;

  /** Something that reads the table. */
  interface Asked {
    Object answer() throws Exception;
  }

  @ParameterizedTest(name = "with Hadoop''s own checksums: {0}")
  @ValueSource(booleans = {false, true})
  void whatIsReadIsRightOrRefused(boolean checksums) throws Exception {
    try (Replica job = new Replica(Catalogs.HADOOP.in(directory), Orders.table("region"))) {
      fill(job);
      if (!checksums) {
        Damage.forgetChecksums(directory);
      }
      Map<String, Asked> asked = asked(job);
      Map<String, Object> right = new TreeMap<>();
      for (Map.Entry<String, Asked> each : asked.entrySet()) {
        right.put(each.getKey(), each.getValue().answer());
      }
      Map<String, Set<String>> refused = new TreeMap<>();
      for (Path file : files()) {
        byte[] whole = Files.readAllBytes(file);
        for (Damage damage : damages(checksums)) {
          damage.to(file);
          for (Map.Entry<String, Asked> each : asked.entrySet()) {
            String situation = kind(file) + " " + damage + ": " + each.getKey();
            boolean counts =
                damage != Damage.BIT_FLIPPED_IN_A_PAGE || file.toString().endsWith(".parquet");
            if (isRefused(situation, file, damage, each.getValue(), right.get(each.getKey()))
                && counts) {
              refused
                  .computeIfAbsent(kind(file) + ": " + each.getKey(), k -> new TreeSet<>())
                  .add(damage.name());
            }
          }
          Files.write(file, whole);
        }
      }
      assertThat(refused).isEqualTo(expected(checksums));
      for (Map.Entry<String, Asked> each : asked.entrySet()) {
        assertThat(each.getValue().answer()).isEqualTo(right.get(each.getKey()));
      }
    }
  }

  private static boolean isRefused(
      String situation, Path file, Damage damage, Asked asked, Object right) {
    Object answer;
    try {
      answer = asked.answer();
    } catch (RefusedException e) {
      assertThat(e.getMessage())
          .as(situation)
          .contains(
              damage == Damage.GONE ? " gone: " : " damaged: ",
              file.getFileName().toString(),
              "of snapshot ");
      return true;
    } catch (Exception | AssertionError e) {
      throw new AssertionError(situation, e);
    }
    assertThat(answer).as(situation).isEqualTo(right);
    return false;
  }

  /** With checksums it is enough to see that they are asked. */
  private static List<Damage> damages(boolean checksums) {
    return checksums
        ? List.of(Damage.END_IS_ZEROS, Damage.BIT_FLIPPED_IN_A_PAGE)
        : List.of(Damage.values());
  }

  private static Map<String, Set<String>> expected(boolean checksums) {
    Set<String> all = new TreeSet<>();
    damages(checksums).forEach(damage -> all.add(damage.name()));
    Set<String> inLists = new TreeSet<>(all);
    inLists.remove(Damage.BIT_FLIPPED_IN_A_PAGE.name()); // right or refused, as it comes
    Map<String, Set<String>> expected = new TreeMap<>();
    for (String reads : List.of("a start", "a repair", "show", "a count", "kept rows")) {
      expected.put("rows: " + reads, all);
      expected.put("deletes: " + reads, all);
      expected.put("manifest: " + reads, inLists);
      expected.put("list: " + reads, inLists);
    }
    expected.put("tombstones: a start", all);
    for (String reads : List.of("a start", "status")) {
      expected.put("tombstones' manifest: " + reads, inLists);
      expected.put("tombstones' list: " + reads, inLists);
    }
    return expected;
  }

  /** Two rows that live, one of them written twice, and one that was deleted. */
  static void fill(Replica job) throws IOException {
    job.commit("c1", 1, put(1, 1, "eu", "aaaa"), put(2, 1, "eu", "bbbb"), put(3, 1, "eu", "cccc"));
    job.commit("c2", 2, put(1, 2, "eu", "dddd"), Orders.delete(2, 3));
  }

  static Map<String, Asked> asked(Replica job) throws Exception {
    CommitRecord record = job.ledger.last();
    Table table = job.foreign();
    long snapshot = table.currentSnapshot().snapshotId();
    var marks = Replica.seeded(job.catalog, snapshot, record);
    List<RowSource.Wanted> wanted =
        List.of(
            new RowSource.Wanted(
                Orders.key(1), marks.get(Orders.key(1)), put(1, 1, "eu", "").row()),
            new RowSource.Wanted(
                Orders.key(3), marks.get(Orders.key(3)), put(3, 1, "eu", "").row()));
    Map<String, Asked> asked = new LinkedHashMap<>();
    asked.put("a start", () -> Replica.seeded(job.catalog, snapshot, record));
    asked.put("show", job::rows);
    asked.put("a count", () -> count(job));
    asked.put(
        "a repair",
        () -> RowRemoval.write(job.catalog, Orders.TABLE, snapshot, Set.of(Orders.key(9))).rows());
    asked.put("kept rows", () -> keptRows(job, wanted));
    asked.put("status", () -> facts(job));
    return asked;
  }

  private static long count(Replica job) throws IOException {
    try (TableReader reader = TableReader.open(job.catalog, Orders.TABLE)) {
      return reader.count(RowQuery.ALL);
    }
  }

  private static Object keptRows(Replica job, List<RowSource.Wanted> wanted) throws IOException {
    try (OpenCatalog open = OpenCatalog.open(job.catalog)) {
      Table table = open.table(Orders.TABLE);
      return new WrittenRows(table, () -> open.table(Orders.TABLE), Orders.SHAPE)
          .read(wanted)
          .keySet();
    }
  }

  private static Object facts(Replica job) {
    try (IcebergTables tables = IcebergTables.open(job.catalog)) {
      return tables.facts(Orders.TABLE).tombstoneDays();
    }
  }

  /** Those of the current snapshots. */
  private List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    try (Replica now = new Replica(Catalogs.HADOOP.in(directory), Orders.table("region"))) {
      for (Table table : List.of(now.foreign(), now.foreignTombstones())) {
        files.add(path(table.currentSnapshot().manifestListLocation()));
        table
            .currentSnapshot()
            .allManifests(table.io())
            .forEach(manifest -> files.add(path(manifest.path())));
        try (CloseableIterable<FileScanTask> parts = table.newScan().planFiles()) {
          for (FileScanTask part : parts) {
            TableFiles.of(part).forEach(file -> files.add(path(file.location())));
          }
        }
      }
    }
    return files.stream().distinct().toList();
  }

  private static Path path(String location) {
    return Path.of(java.net.URI.create(location).getPath());
  }

  private static String kind(Path file) {
    String name = file.getFileName().toString();
    boolean tombstones = file.toString().contains("__tombstones");
    if (name.endsWith(".parquet")) {
      return tombstones ? "tombstones" : name.endsWith("-eq.parquet") ? "deletes" : "rows";
    }
    return (tombstones ? "tombstones' " : "") + (name.startsWith("snap-") ? "list" : "manifest");
  }

  /** What a commit carried over from a list that was cut would be gone for good. */
  @Test
  void aCommitLosesNothing() throws Exception {
    Path lake = directory.resolve("lake");
    Path copy = directory.resolve("copy");
    try (Replica job = new Replica(Catalogs.HADOOP.in(directory), Orders.table("region"))) {
      for (Table table : List.of(job.foreign(), job.foreignTombstones())) {
        table.updateProperties().set(TableProperties.MANIFEST_MIN_MERGE_COUNT, "2").commit();
      }
      fill(job);
    }
    Damage.forgetChecksums(directory);
    List<Path> lists =
        files().stream().filter(file -> file.getFileName().toString().endsWith(".avro")).toList();
    copy(lake, copy);
    Map<String, Set<String>> refused = new TreeMap<>();
    for (Path file : lists) {
      for (Damage damage : Damage.values()) {
        try (Replica job = new Replica(Catalogs.HADOOP.in(directory), Orders.table("region"))) {
          job.seed();
          WrittenFiles files =
              job.write(put(4, 9, "eu", "eeee"), put(5, 9, "us", "ffff"), Orders.delete(3, 9));
          byte[] whole = Files.readAllBytes(file);
          damage.to(file);
          if (isRefused(
              kind(file) + " " + damage,
              file,
              damage,
              () -> job.commit("c3", 3, List.of(files)).commitId(),
              "c3")) {
            refused.computeIfAbsent(kind(file), k -> new TreeSet<>()).add(damage.name());
          }
          Files.write(file, whole);
          commitOrNot(job, files); // what it has read of the damaged file it may remember
          assertCommitted(kind(file) + " " + damage, files);
        }
        delete(lake);
        copy(copy, lake);
      }
    }
    assertThat(refused).containsKeys("list", "manifest", "tombstones' list");
    assertThat(refused.get("list"))
        .contains("GONE", "EMPTY", "HALF", "END_CUT", "LAST_BLOCK_CUT", "END_IS_ZEROS");
  }

  private static void commitOrNot(Replica job, WrittenFiles files) {
    try {
      job.commit("c3", 3, List.of(files));
    } catch (UnavailableException e) {
      assertThat(e).hasMessageContaining("could not be settled");
    }
  }

  /** By another job, which starts as Flink would start it. */
  private void assertCommitted(String situation, WrittenFiles files) throws Exception {
    try (Replica next = new Replica(Catalogs.HADOOP.in(directory), Orders.table("region"))) {
      CommitRecord last = next.ledger.last();
      if (last == null || !last.commitId().equals("c3")) {
        next.commit("c3", 3, List.of(files));
      }
      assertThat(next.rows())
          .as(situation)
          .isEqualTo(Map.of(1L, "eu/dddd", 4L, "eu/eeee", 5L, "us/ffff"));
      next.seed();
      assertThat(next.marks).as(situation).hasSize(5);
    }
  }

  @Test
  void aMetadataFileIsRefusedByItsName() throws Exception {
    try (Replica job = new Replica(Catalogs.HADOOP.in(directory), Orders.table("region"))) {
      fill(job);
      Damage.forgetChecksums(directory);
      for (String table : List.of("orders", "orders__tombstones")) {
        Path metadata = directory.resolve("lake/shop").resolve(table).resolve("metadata");
        String version = Files.readString(metadata.resolve("version-hint.text")).strip();
        Path file = metadata.resolve("v" + version + ".metadata.json");
        byte[] whole = Files.readAllBytes(file);
        Set<Damage> told = EnumSet.allOf(Damage.class);
        told.remove(Damage.BIT_FLIPPED_IN_A_PAGE); // may make another text of it
        for (Damage damage : told) {
          damage.to(file);
          Files.deleteIfExists(metadata.resolve(".v" + version + ".metadata.json.crc"));
          assertThatThrownBy(
                  () -> new Replica(job.catalog, Orders.table("region")).close(), damage.name())
              .isInstanceOf(RefusedException.class)
              .hasMessageContaining("The metadata file of table shop." + table + " is ")
              .hasMessageContaining("Restore it, or have the catalog name");
          Files.write(file, whole);
        }
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (var paths = Files.walk(from)) {
      for (Path path : paths.toList()) {
        Files.copy(path, to.resolve(from.relativize(path)));
      }
    }
  }

  private static void delete(Path tree) throws IOException {
    try (var paths = Files.walk(tree)) {
      for (Path path : paths.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
