package io.tidemark.sandbox;

import io.tidemark.bench.BenchCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The entry point of the {@code tidemark} command. */
@Command(
    name = "tidemark",
    mixinStandardHelpOptions = true,
    description = "Brings database changes into Apache Iceberg tables, safe to replay.")
public final class Tidemark implements Runnable {

  private Tidemark() {}

  public static void main(String[] args) {
    Jobs jobs = new FlinkJobs();
    System.exit(
        new CommandLine(new Tidemark())
            .addSubcommand(new DemoCommand(jobs))
            .addSubcommand(new SandboxCommand(jobs))
            .addSubcommand(new BenchCommand(BenchBroker::start))
            .execute(args));
  }

  @Override
  public void run() {
    CommandLine.usage(this, System.out);
  }
}
