package io.tidemark.cli;

import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Checks of option values that picocli does not make. */
public final class Options {
  private Options() {}

  /** A time that an option gives. */
  public static Duration positiveSeconds(CommandSpec spec, String option, int seconds) {
    if (seconds < 1) {
      throw bad(spec, option, String.valueOf(seconds), "a number of seconds, at least 1");
    }
    return Duration.ofSeconds(seconds);
  }

  /** What to throw for a value that cannot be used. */
  public static ParameterException bad(
      CommandSpec spec, String option, String found, String expected) {
    return new ParameterException(
        spec.commandLine(), option + ": found \"" + found + "\", expected " + expected);
  }
}
