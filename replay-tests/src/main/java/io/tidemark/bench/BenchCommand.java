package io.tidemark.bench;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code tidemark bench}. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Drains one seeded topic through Tidemark and through the stock pipeline (Flink SQL,"
          + " debezium-json into an Iceberg upsert table), in turn, each in its own process, and"
          + " compares what they cost.",
      "Exit code 1 if the tables differ, or if Tidemark takes more CPU time than stock.",
      "With --seeding: how long a start without state takes on a large table, and how large its"
          + " state is."
    })
public final class BenchCommand implements Callable<Integer> {

  private final Broker.Starter brokers;

  @Spec private CommandSpec spec;

  @Option(names = "--events", description = "Changes in the topic.", defaultValue = "300000")
  private int events;

  @Option(names = "--keys", description = "Primary keys.", defaultValue = "50000")
  private int keys;

  @Option(names = "--seed", description = "Of everything random.", defaultValue = "42")
  private long seed;

  @Option(
      names = "--rounds",
      description = "How often each pipeline drains each topic.",
      defaultValue = "2")
  private int rounds;

  @Option(
      names = "--schemas",
      description = "Whether each message carries its schema; true unless given.",
      arity = "1",
      defaultValue = "true")
  private boolean schemas;

  @Option(
      names = "--marginal",
      description =
          "Whether a topic of a third of the events is drained too, so that the cost of starting can"
              + " be taken out; true unless given.",
      arity = "1",
      defaultValue = "true")
  private boolean marginal;

  @Option(
      names = "--seeding",
      description =
          "Measure a start without state, and nothing of the above. Takes --rows, --seed.")
  private boolean seeding;

  @Option(
      names = "--rows",
      description = "Rows of the table that is seeded from.",
      defaultValue = "2000000")
  private int rows;

  /** A command that starts its broker with {@code brokers}. */
  @SuppressWarnings("NullAway.Init") // picocli fills the fields
  public BenchCommand(Broker.Starter brokers) {
    this.brokers = brokers;
  }

  @Override
  public Integer call() {
    return seeding ? seed() : compare();
  }

  private int seed() {
    SeedingSettings settings;
    try {
      settings = new SeedingSettings(rows, seed);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage());
    }
    SeedingBench.run(settings, brokers, spec.commandLine().getOut());
    return 0;
  }

  private int compare() {
    BenchSettings settings;
    try {
      settings = new BenchSettings(events, keys, seed, rounds, schemas, marginal);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage());
    }
    PrintWriter out = spec.commandLine().getOut();
    Outcome outcome = Bench.run(settings, brokers, out);
    if (!outcome.differences().none()) {
      out.printf(
          Locale.ROOT,
          "The tables differ in %,d rows, so nothing was compared:%n",
          outcome.differences().rows());
      outcome.differences().examples().forEach(example -> out.println("  " + example));
      out.flush();
      return 1;
    }
    outcome.results().print(out);
    out.println(
        outcome.targetMet()
            ? "Tidemark is not dearer than stock."
            : outcome.results().headline().usable()
                ? "Tidemark is DEARER than stock."
                : "The drains are too short to tell: take more --events, or --marginal false.");
    out.flush();
    return outcome.targetMet() ? 0 : 1;
  }
}
