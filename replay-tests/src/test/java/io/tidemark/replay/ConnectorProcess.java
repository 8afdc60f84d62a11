package io.tidemark.replay;

import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

/** A {@link ConnectorMain} in a process of its own, which can be killed at any point. */
final class ConnectorProcess implements AutoCloseable {

  private final Process process;
  private final Path printed;

  private ConnectorProcess(Process process, Path printed) {
    this.process = process;
    this.printed = printed;
  }

  /**
   * Starts one.
   *
   * @param classPath of the connector and its Debezium; the class that runs it is put in front
   * @param dir for its files, which starts with other properties may share
   */
  static ConnectorProcess start(String classPath, Properties connector, Path dir)
      throws IOException {
    Path settings = Files.createTempFile(dir, "connector-", ".properties");
    Path printed = Path.of(settings + ".txt");
    try (Writer out = Files.newBufferedWriter(settings)) {
      connector.store(out, null);
    }
    Path classes =
        Path.of(ConnectorMain.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    Process process =
        new ProcessBuilder(
                List.of(
                    ProcessHandle.current().info().command().orElse("java"),
                    "-Xmx512m",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    classes + File.pathSeparator + classPath,
                    ConnectorMain.class.getName(),
                    settings.toString()))
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile())
            .start();
    return new ConnectorProcess(process, printed);
  }

  /**
   * Checks that it still runs.
   *
   * @throws AssertionError if not, with the end of what it printed
   */
  void failIfEnded() {
    if (!process.isAlive()) {
      throw new AssertionError("The connector has ended with " + process.exitValue() + end());
    }
  }

  /** Kills it without a chance to say where it stands. */
  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  String end() {
    try {
      List<String> lines = Files.readAllLines(printed);
      return String.join("\n  ", lines.subList(Math.max(0, lines.size() - 60), lines.size()));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
