package io.tidemark.sandbox;

import io.tidemark.bench.BenchCommand;
import io.tidemark.cli.TidemarkCommand;
import io.tidemark.verify.VerifyCommand;

/**
 * The entry point of the {@code tidemark} command: what runs anywhere, the demo, the sandbox, the
 * benchmark and the verification.
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
            new BenchCommand(BenchBroker::start),
            new VerifyCommand()));
  }
}
