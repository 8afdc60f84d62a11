package io.tidemark.sandbox;

import static io.tidemark.sandbox.Narration.count;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tidemark demo}. */
@Command(
    name = "demo",
    description = {
      "Proves on this machine that replays change nothing.",
      "",
      "Starts PostgreSQL, Debezium, Kafka and Flink in this process, without Docker, and lets the job"
          + " bring a table's changes into Iceberg. Then it replays the topic, copies and shuffles its"
          + " events, kills the job, and sends a late update, and compares every column of every row"
          + " with PostgreSQL each time."
    })
final class DemoCommand implements Callable<Integer> {

  @Option(
      names = "--events",
      paramLabel = "N",
      defaultValue = "20000",
      description =
          "Change events before the first run, "
              + DemoSettings.MIN_EVENTS
              + " to "
              + DemoSettings.MAX_EVENTS
              + " (default: ${DEFAULT-VALUE}). A quarter"
              + " more come while the job is killed.")
  private int events;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Seed of the workload and of the shuffling (default: random, and printed).")
  private @Nullable Long seed;

  @Option(
      names = "--keep",
      description = "Keep the table and its configuration, to look at with tidemark show.")
  private boolean keep;

  @Spec private @Nullable CommandSpec spec;

  private final Jobs jobs;

  DemoCommand(Jobs jobs) {
    this.jobs = jobs;
  }

  @Override
  public Integer call() throws Exception {
    CommandSpec command = Objects.requireNonNull(spec);
    DemoSettings settings;
    try {
      long chosen = seed == null ? ThreadLocalRandom.current().nextInt(1_000_000) : seed;
      settings = new DemoSettings(events, chosen);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), "--" + e.getMessage());
    }
    Narration tell = new Narration(command.commandLine().getOut());
    try (Interruption interruption = Interruption.ofThisThread()) {
      try {
        return run(settings, tell);
      } catch (RuntimeException e) {
        if (interruption.happened()) {
          tell.plain("Interrupted. Everything is stopped and deleted.");
          return 130;
        }
        throw e;
      }
    }
  }

  private int run(DemoSettings settings, Narration tell) throws Exception {
    try (WorkDir dir = WorkDir.create("tidemark-demo-")) {
      tell.plain(
          "Tidemark demo: %s events, seed %d. Everything runs in this process; files go to %s."
              .formatted(count(settings.events()), settings.seed(), dir.path()));
      tell.plain("");
      tell.step("Starting PostgreSQL and Kafka");
      Proof proof;
      Path warehouse;
      Path configFile;
      try (Stack stack = Stack.start(StackSettings.named("demo"), dir.path())) {
        warehouse = stack.warehouse();
        configFile = stack.configFile();
        proof = Demo.run(settings, stack, jobs, tell);
        tell.step("Stopping");
      }
      tell.plain("");
      proof.render().forEach(tell::plain);
      tell.plain("");
      tell.plain(
          String.format(
              Locale.ROOT,
              "%s in %.0f s (seed %d).",
              proof.holds() ? "All comparisons hold" : "Stopped at a line that does not hold",
              tell.elapsedSeconds(),
              settings.seed()));
      tell.plain("");
      sayHowToLook(tell, dir, warehouse, configFile);
      return proof.holds() ? 0 : 1;
    }
  }

  private void sayHowToLook(Narration tell, WorkDir dir, Path warehouse, Path configFile) {
    Path table = warehouse.resolve("shop").resolve("orders");
    if (keep) {
      dir.keep(warehouse, configFile);
      tell.plain("The table is in " + table + ". Look at it:");
      tell.plain("");
      tell.plain("  ./tidemark show -c " + configFile + " shop.orders --limit 5");
      tell.plain("");
      tell.plain("Delete " + dir.path() + " when you have seen enough.");
    } else {
      tell.plain(
          "The table was in "
              + table
              + " and is deleted now. Run ./tidemark demo --keep to keep it; the demo then ends with"
              + " the command that shows it.");
    }
  }
}
