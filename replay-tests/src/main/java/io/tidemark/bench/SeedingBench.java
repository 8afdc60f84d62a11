package io.tidemark.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.flink.util.FileUtils;

/** Has Tidemark make a table, and starts it on that table without state. */
final class SeedingBench {

  private static final String TOPIC = "bench.shop.sales";
  private static final String LITTLE = "little.shop.sales";
  private static final int FEW = 1_000;
  private static final String HEAP = "-Xmx4g";
  private static final List<String> BACKENDS = List.of("hashmap", "rocksdb");
  private static final String ROW = "  %-46s %14s %14s";

  private final SeedingSettings settings;
  private final PrintWriter out;
  private final Path dir;
  private final long began = System.nanoTime();

  private SeedingBench(SeedingSettings settings, PrintWriter out, Path dir) {
    this.settings = settings;
    this.out = out;
    this.dir = dir;
  }

  /** Runs everything, and prints what came of it; its files are gone afterwards. */
  static Map<String, SeedingRun> run(
      SeedingSettings settings, Broker.Starter brokers, PrintWriter out) {
    Path dir;
    try {
      dir = Files.createTempDirectory("tidemark-bench-");
    } catch (IOException e) {
      throw new UncheckedIOException("No directory could be created for the benchmark", e);
    }
    Thread cleanup = new Thread(() -> Bench.abandon(dir), "bench-cleanup");
    Runtime.getRuntime().addShutdownHook(cleanup);
    try (Broker broker = brokers.start(dir.resolve("kafka"))) {
      return new SeedingBench(settings, out, dir).run(broker.bootstrapServers());
    } finally {
      Runtime.getRuntime().removeShutdownHook(cleanup);
      FileUtils.deleteDirectoryQuietly(dir.toFile());
    }
  }

  private Map<String, SeedingRun> run(String bootstrapServers) {
    tell(
        "%d CPUs, load average %.2f",
        Runtime.getRuntime().availableProcessors(),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    Topic.create(bootstrapServers, LITTLE);
    SalesLog few = new SalesLog(settings.seed(), FEW, false);
    Topic.append(bootstrapServers, LITTLE, few, FEW, few::insert);
    Topic.create(bootstrapServers, TOPIC);
    SalesLog log = new SalesLog(settings.seed(), settings.keys(), false);
    Topic.append(bootstrapServers, TOPIC, log, settings.keys(), log::insert);
    Topic.append(bootstrapServers, TOPIC, log, settings.updates(), log::update);
    Topic filled = Topic.append(bootstrapServers, TOPIC, log, settings.deletes(), log::delete);
    tell("topic %s filled: %,d rows at the end", TOPIC, filled.rows());
    DrainOrder table = new DrainOrder(bootstrapServers, TOPIC, false, dir.resolve("table"));
    Drain drain = ChildJvm.drain(Side.TIDEMARK, table);
    tell(
        "table made: %,d rows, %,d deleted keys, %,d Parquet files, %.1f MB, in %.0f s",
        filled.rows(),
        settings.deletes(),
        drain.written().parquetFiles(),
        drain.written().bytes() / 1e6,
        drain.used().wallSeconds());
    Map<String, SeedingRun> runs = new LinkedHashMap<>();
    for (String backend : BACKENDS) {
      Topic.append(bootstrapServers, TOPIC, log, FEW, log::update);
      DrainOrder order = new DrainOrder(bootstrapServers, TOPIC, false, dir.resolve(backend));
      List<String> arguments = new ArrayList<>(List.of(LITTLE, table.warehouse(), backend));
      arguments.addAll(order.toArguments());
      runs.put(
          backend,
          SeedingRun.ofJson(
              ChildJvm.run(backend, SeedingProcess.class, arguments, order.dir(), HEAP)));
      tell("started on it with %s", backend);
    }
    print(runs);
    tell("load average %.2f", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    return runs;
  }

  private void print(Map<String, SeedingRun> runs) {
    SeedingRun heap = runs.get(BACKENDS.get(0));
    SeedingRun rocks = runs.get(BACKENDS.get(1));
    if (heap == null || rocks == null) {
      throw new AssertionError(runs.keySet());
    }
    int keys = settings.keys();
    out.println(ROW.formatted("", BACKENDS.get(0), BACKENDS.get(1)));
    row("s until a new change is committed", "%,.1f", heap.seconds(), rocks.seconds());
    row("  the same on a new table", "%,.1f", heap.emptySeconds(), rocks.emptySeconds());
    row("CPU-s", "%,.1f", heap.cpuSeconds(), rocks.cpuSeconds());
    row("MB read", "%,.1f", heap.bytesRead() / 1e6, rocks.bytesRead() / 1e6);
    row("B read per key", "%,.1f", per(keys, heap.bytesRead()), per(keys, rocks.bytesRead()));
    row("B of heap per key", "%,.0f", per(keys, heap.heapBytes()), per(keys, rocks.heapBytes()));
    row(
        "B of checkpoint per key",
        "%,.1f",
        per(keys, heap.checkpointBytes()),
        per(keys, rocks.checkpointBytes()));
    row(
        "B of RocksDB's files per key",
        "%,.1f",
        per(keys, heap.diskBytes()),
        per(keys, rocks.diskBytes()));
    out.flush();
  }

  private static double per(int keys, long bytes) {
    return bytes / (double) keys;
  }

  private void row(String name, String format, double heap, double rocks) {
    out.println(
        ROW.formatted(
            name,
            String.format(Locale.ROOT, format, heap),
            String.format(Locale.ROOT, format, rocks)));
  }

  private void tell(String format, Object... values) {
    String elapsed = String.format(Locale.ROOT, "[%6.1f s] ", (System.nanoTime() - began) / 1e9);
    out.println(elapsed + String.format(Locale.ROOT, format, values));
    out.flush();
  }
}
