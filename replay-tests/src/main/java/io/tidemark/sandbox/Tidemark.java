package io.tidemark.sandbox;

import io.tidemark.cli.TidemarkCommand;

/** The entry point of the {@code tidemark} command: what needs the embedded stack, and the rest. */
public final class Tidemark {

  private Tidemark() {}

  public static void main(String[] args) {
    Jobs jobs = new FlinkJobs();
    System.exit(TidemarkCommand.run(args, new DemoCommand(jobs), new SandboxCommand(jobs)));
  }
}
