package io.tidemark.cli;

import io.tidemark.config.Settings;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that every command on a configuration has. */
public final class ConfigFile {

  @Option(
      names = {"-c", "--config"},
      required = true,
      paramLabel = "FILE",
      description = "The job's configuration, a YAML file (docs/configuration.md).")
  private Path file = Path.of("");

  /**
   * Reads the file.
   *
   * @throws io.tidemark.config.ConfigException with all problems
   */
  public Settings read() {
    return Settings.read(file);
  }

  /** A message whose commands name this file, in place of FILE. */
  public String typed(String message) {
    return message.replace(" -c FILE", " -c " + file);
  }

  Path path() {
    return file;
  }
}
