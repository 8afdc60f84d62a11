package io.tidemark.bench;

import io.tidemark.bench.ContentComparison.Differences;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.flink.util.FileUtils;

/** Fills the topics, has both pipelines drain them in turn, and compares tables and costs. */
final class Bench {

  private final BenchSettings settings;
  private final PrintWriter out;
  private final long began = System.nanoTime();
  private final Path dir;

  private Bench(BenchSettings settings, PrintWriter out, Path dir) {
    this.settings = settings;
    this.out = out;
    this.dir = dir;
  }

  /** Runs everything; its files are gone afterwards. */
  static Outcome run(BenchSettings settings, Broker.Starter brokers, PrintWriter out) {
    Path dir = createDirectory();
    Thread cleanup = new Thread(() -> abandon(dir), "bench-cleanup");
    Runtime.getRuntime().addShutdownHook(cleanup);
    try (Broker broker = brokers.start(dir.resolve("kafka"))) {
      return new Bench(settings, out, dir).run(broker);
    } finally {
      Runtime.getRuntime().removeShutdownHook(cleanup);
      FileUtils.deleteDirectoryQuietly(dir.toFile());
    }
  }

  private Outcome run(Broker broker) {
    tell("%d CPUs, load average %.2f", processors(), load());
    List<Rounds> all = new ArrayList<>();
    if (settings.marginal()) {
      all.add(new Rounds(fill(broker, "part.shop.sales", settings.fewerEvents())));
    }
    Rounds full = new Rounds(fill(broker, "bench.shop.sales", settings.events()));
    all.add(full);
    Results results = new Results(settings.marginal() ? all.get(0) : null, full);
    for (int round = 1; round <= settings.rounds(); round++) {
      for (Rounds rounds : all) {
        Differences differences = drainBoth(broker, rounds, round);
        if (!differences.none()) {
          return new Outcome(differences, results);
        }
      }
    }
    tell("load average %.2f", load());
    return new Outcome(new Differences(0, List.of()), results);
  }

  private Topic fill(Broker broker, String name, int events) {
    Topic topic = Topic.fill(broker.bootstrapServers(), name, settings, events);
    tell(
        "topic %s filled: %,d changes, %,d records, %,d B each on average, %,d rows at the end",
        name, events, topic.records(), topic.bytes() / topic.records(), topic.rows());
    return topic;
  }

  private Differences drainBoth(Broker broker, Rounds rounds, int round) {
    Topic topic = rounds.topic();
    String place = "round-" + round + "-" + topic.events() + "-";
    for (Side side : Side.values()) {
      DrainOrder order = order(broker, topic, place, side);
      Drain drain = ChildJvm.drain(side, order);
      rounds.add(side, drain);
      tell(
          "round %d of %d: %s drained %,d events: %.1f CPU-s, %.1f s",
          round,
          settings.rounds(),
          side.title(),
          topic.events(),
          drain.used().cpuSeconds(),
          drain.used().wallSeconds());
    }
    DrainOrder stock = order(broker, topic, place, Side.STOCK);
    DrainOrder tidemark = order(broker, topic, place, Side.TIDEMARK);
    Differences differences =
        LakeContent.compare(stock.warehouse(), tidemark.warehouse(), topic.rows());
    tell(
        "    compared every column of %,d rows: %s",
        topic.rows(), differences.none() ? "equal" : "NOT EQUAL");
    FileUtils.deleteDirectoryQuietly(stock.dir().toFile());
    FileUtils.deleteDirectoryQuietly(tidemark.dir().toFile());
    return differences;
  }

  private DrainOrder order(Broker broker, Topic topic, String place, Side side) {
    return new DrainOrder(
        broker.bootstrapServers(),
        topic.name(),
        settings.schemas(),
        dir.resolve(place + side.name().toLowerCase(Locale.ROOT)));
  }

  private void tell(String format, Object... values) {
    String elapsed = String.format(Locale.ROOT, "[%6.1f s] ", (System.nanoTime() - began) / 1e9);
    out.println(elapsed + String.format(Locale.ROOT, format, values));
    out.flush();
  }

  private static int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** Of the last minute; negative where the system has none. */
  private static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  private static Path createDirectory() {
    try {
      return Files.createTempDirectory("tidemark-bench-");
    } catch (IOException e) {
      throw new UncheckedIOException("No directory could be created for the benchmark", e);
    }
  }

  /** For the end of the whole process before the end of the benchmark. */
  static void abandon(Path dir) {
    ProcessHandle.current().children().forEach(ProcessHandle::destroyForcibly);
    FileUtils.deleteDirectoryQuietly(dir.toFile());
  }
}
