package io.tidemark.sandbox;

import io.tidemark.bench.BenchCommand;
import io.tidemark.cli.TidemarkCommand;

/**
 * The entry point of the {@code tidemark} command: what runs anywhere, the demo, the sandbox and
 * the benchmark.
 */
public final class Tidemark {

  private Tidemark() {}

  public static void main(String[] args) {
    Jobs jobs = new FlinkJobs();
    System.exit(
        TidemarkCommand.run(
            args,
            new DemoCommand(jobs),
            new SandboxCommand(jobs),
            new BenchCommand(BenchBroker::start)));
  }
}
