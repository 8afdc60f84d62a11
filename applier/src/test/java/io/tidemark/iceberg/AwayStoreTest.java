package io.tidemark.iceberg;

import static io.tidemark.iceberg.Orders.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.commit.UnavailableException;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.config.CatalogSettings;
import io.tidemark.failure.RefusedException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The other side of {@link DamagedFilesTest}: files that are whole and do not come. Whatever the
 * exception is, it is none that ends a job, and once the store is back the answer is right.
 */
class AwayStoreTest {
  @TempDir private Path directory;

  @AfterEach
  void isBack() {
    AwayFileIO.fails = location -> false;
  }

  @Test
  void aStoreThatIsAwayIsNeverTakenForDamage() throws Exception {
    Map<String, String> properties = new HashMap<>(Catalogs.JDBC.in(directory).properties());
    properties.put("io-impl", AwayFileIO.class.getName());
    CatalogSettings catalog = new CatalogSettings("lake", properties);
    try (Replica job = new Replica(catalog, Orders.table("region"))) {
      DamagedFilesTest.fill(job);
      Map<String, DamagedFilesTest.Asked> asked = DamagedFilesTest.asked(job);
      Map<String, Object> right = new TreeMap<>();
      for (Map.Entry<String, DamagedFilesTest.Asked> each : asked.entrySet()) {
        right.put(each.getKey(), each.getValue().answer());
      }
      int failed = 0;
      for (AwayFileIO.Failure failure : AwayFileIO.Failure.values()) {
        AwayFileIO.failure = failure;
        for (String files : List.of("-eq.parquet", "/data/", "-m0.avro", ".avro", "/snap-")) {
          AwayFileIO.fails = location -> location.contains(files);
          for (Map.Entry<String, DamagedFilesTest.Asked> each : asked.entrySet()) {
            String situation = failure + " " + files + ": " + each.getKey();
            Object answer;
            try {
              answer = each.getValue().answer();
            } catch (RefusedException e) {
              throw new AssertionError(situation, e);
            } catch (Exception e) {
              failed++;
              continue;
            }
            assertThat(answer).as(situation).isEqualTo(right.get(each.getKey()));
          }
        }
      }
      assertThat(failed).isGreaterThan(60);
      AwayFileIO.fails = location -> false;
      for (Map.Entry<String, DamagedFilesTest.Asked> each : asked.entrySet()) {
        assertThat(each.getValue().answer()).isEqualTo(right.get(each.getKey()));
      }
      commit(job);
    }
  }

  private static void commit(Replica job) throws Exception {
    WrittenFiles files = job.write(put(4, 9, "us", "eeee"), Orders.delete(3, 9));
    for (AwayFileIO.Failure failure : AwayFileIO.Failure.values()) {
      AwayFileIO.failure = failure;
      AwayFileIO.fails = location -> location.contains("/snap-");
      try {
        job.commit("c3", 3, List.of(files));
        throw new AssertionError("a commit without its list, " + failure);
      } catch (UnavailableException e) {
        assertThat(e).hasMessageContaining("could not be settled");
      }
    }
    AwayFileIO.fails = location -> false;
    job.commit("c3", 3, List.of(files));
    assertThat(job.rows()).isEqualTo(Map.of(1L, "eu/dddd", 4L, "us/eeee"));
  }
}
