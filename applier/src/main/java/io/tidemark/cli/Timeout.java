package io.tidemark.cli;

import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option of every command that asks brokers or a catalog and ends. */
public final class Timeout {

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description =
          "How long to wait for an answer of brokers or catalog (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  /**
   * How long one question may take.
   *
   * @throws picocli.CommandLine.ParameterException if that is no time
   */
  public Duration get() {
    return Options.positiveSeconds(command, "--timeout", seconds);
  }
}
