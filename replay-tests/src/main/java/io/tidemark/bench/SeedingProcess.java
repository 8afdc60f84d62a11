package io.tidemark.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.config.Settings;
import io.tidemark.job.LocalJob;
import io.tidemark.job.RunOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The process of one start without state: it measures itself and prints that as JSON. */
public final class SeedingProcess {

  private static final String NEW_TABLE = "nothing";
  private static final long POLL_MILLIS = 20;
  private static final Pattern VERSION = Pattern.compile("v(\\d+)\\.metadata\\.json");

  private final DrainOrder order;
  private final String warehouse;
  private final String backend;

  private SeedingProcess(DrainOrder order, String warehouse, String backend) {
    this.order = order;
    this.warehouse = warehouse;
    this.backend = backend;
  }

  /**
   * Measures; the arguments are a topic of little, the warehouse of the table, the state backend
   * and what {@link DrainOrder#toArguments()} gives.
   */
  public static void main(String[] args) throws Exception {
    List<String> arguments = List.of(args);
    DrainOrder order = DrainOrder.ofArguments(arguments.subList(3, arguments.size()));
    SeedingRun run =
        new SeedingProcess(order, arguments.get(1), arguments.get(2)).measure(arguments.get(0));
    System.out.println(DrainProcess.MARKER + run.toJson());
    System.out.flush();
    // Threads that a library has left behind are no reason to stay.
    System.exit(0);
  }

  /** A new table first: what a start costs anyhow, and what it leaves on the heap. */
  private SeedingRun measure(String little) throws Exception {
    DrainOrder base =
        new DrainOrder(
            order.bootstrapServers(), little, order.schemas(), order.dir().resolve("new"));
    double emptySeconds;
    long emptyHeap;
    Measured before = Measured.now();
    try (LocalJob job = start(base, NEW_TABLE, base.warehouse())) {
      awaitCommit(job, base.warehouse(), NEW_TABLE, null);
      emptySeconds = Measured.now().since(before).wallSeconds();
      emptyHeap = liveHeap();
    }
    Long seeded = snapshot(warehouse, DrainOrder.TABLE);
    long readBefore = CountingFileIO.bytesRead();
    before = Measured.now();
    try (LocalJob job = start(order, DrainOrder.TABLE, warehouse)) {
      awaitCommit(job, warehouse, DrainOrder.TABLE, seeded);
      Measured used = Measured.now().since(before);
      long read = CountingFileIO.bytesRead() - readBefore;
      return new SeedingRun(
          emptySeconds,
          used.wallSeconds(),
          used.cpuSeconds(),
          read,
          liveHeap() - emptyHeap,
          new Checkpoints(job.webUi()).newestBytes(),
          sizeOf(order.dir().resolve("tmp"), ".sst"));
    }
  }

  private LocalJob start(DrainOrder what, String table, String where) {
    String flink =
        "  execution.checkpointing.interval: 1s\n  state.backend.type: %s\n".formatted(backend);
    String catalog =
        "warehouse: '%s', io-impl: %s".formatted(where, CountingFileIO.class.getName());
    return LocalJob.start(
        Settings.parse(TidemarkDrain.config(what, table, catalog, flink), Map.of()),
        RunOptions.streaming());
  }

  private static void awaitCommit(
      LocalJob job, String warehouse, String table, @Nullable Long before)
      throws InterruptedException, IOException {
    while (Objects.equals(snapshot(warehouse, table), before)) {
      if (!job.isRunning()) {
        job.await(); // throws what it failed of
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  /**
   * The current snapshot of a table in Hadoop's layout; null if there is none yet. Reads past
   * Iceberg: no start should wait for its waiter.
   */
  private static @Nullable Long snapshot(String warehouse, String name) throws IOException {
    Path metadata =
        Path.of(URI.create(warehouse)).resolve(DrainOrder.NAMESPACE + "/" + name + "/metadata");
    if (!Files.exists(metadata)) {
      return null;
    }
    long current;
    try (Stream<Path> files = Files.list(metadata)) {
      Path newest =
          files
              .filter(file -> VERSION.matcher(file.getFileName().toString()).matches())
              .max(Comparator.comparingInt(SeedingProcess::version))
              .orElse(null);
      if (newest == null) {
        return null;
      }
      current = new ObjectMapper().readTree(newest.toFile()).path("current-snapshot-id").asLong(-1);
    }
    return current < 0 ? null : current;
  }

  private static int version(Path metadata) {
    Matcher name = VERSION.matcher(metadata.getFileName().toString());
    return name.matches() ? Integer.parseInt(name.group(1)) : -1;
  }

  private static long liveHeap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static long sizeOf(Path dir, String suffix) throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.walk(dir)) {
      for (Path file : files.filter(path -> path.toString().endsWith(suffix)).toList()) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }
}
