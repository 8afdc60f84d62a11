package io.tidemark.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.hadoop.HadoopCatalog;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The demo as it is typed, with the real job. */
class DemoTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void provesThatReplaysChangeNothing() {
    int exitCode = run(new FlinkJobs(), "--events", "2000", "--seed", "5");

    assertThat(exitCode).as(out + "\n" + err).isZero();
    assertThat(out.toString().lines().filter(line -> line.endsWith("rows changed: 0"))).hasSize(5);
  }

  @Test
  void lostRowsEndItWithOne() {
    int exitCode = run(new DroppingJobs(), "--events", "1000", "--seed", "5");

    assertThat(exitCode).as(out + "\n" + err).isEqualTo(1);
    assertThat(out.toString())
        .containsPattern("\\(a\\) after the first run .* rows changed: \\d+   FAILED")
        .containsPattern("  key \\d+ is missing");
  }

  @Test
  void eventsOutOfRangeAreRefused() {
    assertThat(run(new FlinkJobs(), "--events", "10")).isEqualTo(2);
    assertThat(err.toString()).startsWith("--events must be in 1000..100000, got 10\n");
  }

  private int run(Jobs jobs, String... args) {
    return new CommandLine(new DemoCommand(jobs))
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }

  /** Somebody else takes a data file out of the table when the first job has ended. */
  private static final class DroppingJobs implements Jobs {

    private final Jobs jobs = new FlinkJobs();

    @Override
    public Job start(Path configFile, From from) {
      return jobs.start(configFile, from);
    }

    @Override
    public Job startUntilCaughtUp(Path configFile, From from) {
      try (Job job = jobs.startUntilCaughtUp(configFile, from)) {
        job.await();
        drop(configFile.resolveSibling("lake"));
        return new Ended(job.recordsRead());
      }
    }

    private static void drop(Path warehouse) {
      try (HadoopCatalog catalog =
          new HadoopCatalog(new Configuration(), warehouse.toUri().toString())) {
        Table table = catalog.loadTable(TableIdentifier.of("shop", "orders"));
        try (CloseableIterable<FileScanTask> files = table.newScan().planFiles()) {
          // All rows of the last commit are live; an older file's may all have been replaced.
          DataFile last = null;
          for (FileScanTask task : files) {
            if (last == null || task.file().dataSequenceNumber() > last.dataSequenceNumber()) {
              last = task.file();
            }
          }
          table.newDelete().deleteFile(last).commit();
        }
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  private record Ended(long recordsRead) implements Jobs.Job {

    @Override
    public String webUi() {
      return "none";
    }

    @Override
    public boolean isRunning() {
      return false;
    }

    @Override
    public void await() {}

    @Override
    public void kill() {}

    @Override
    public void close() {}
  }
}
