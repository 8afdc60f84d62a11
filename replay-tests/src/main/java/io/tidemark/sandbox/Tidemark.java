package io.tidemark.sandbox;

<<<<<<< HEAD
import io.tidemark.cli.TidemarkCommand;
=======
import io.tidemark.bench.BenchCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
>>>>>>> bench

/**
 * The entry point of the {@code tidemark} command: what runs anywhere, the demo and the sandbox.
 */
public final class Tidemark {

  private Tidemark() {}

  public static void main(String[] args) {
    Jobs jobs = new FlinkJobs();
<<<<<<< HEAD
    System.exit(TidemarkCommand.run(args, new DemoCommand(jobs), new SandboxCommand(jobs)));
=======
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
>>>>>>> bench
  }
}
