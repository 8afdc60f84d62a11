package io.tidemark.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option of every command that lists what it found. */
public final class ListLimit {

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "10",
      description = "List at most so many of each kind (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  /**
   * How many lines a list may have.
   *
   * @throws picocli.CommandLine.ParameterException if that is no number of lines
   */
  public int get() {
    if (limit < 0) {
      throw Options.bad(command, "--limit", String.valueOf(limit), "a number of lines, at least 0");
    }
    return limit;
  }
}
