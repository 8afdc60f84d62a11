package io.tidemark.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Drains in a process of its own, with the class path and the options of this one. */
final class ChildJvm {

  /** The last option wins, so this holds whatever the parent has. */
  static final String HEAP = "-Xmx2g";

  private static final int SHOWN_CHARACTERS = 4_000;

  private ChildJvm() {}

  /**
   * Drains and waits for the end.
   *
   * @throws IllegalStateException if the process fails, with the end of what it printed
   */
  static Drain drain(Side side, DrainOrder order) {
    List<String> arguments = new ArrayList<>();
    arguments.add(side.name());
    arguments.addAll(order.toArguments());
    String measured = run(side.title(), DrainProcess.class, arguments, order.dir(), HEAP);
    try {
      return new Drain(Measured.ofJson(measured), Footprint.of(order.dir().resolve("lake")));
    } catch (IOException e) {
      throw new UncheckedIOException("What " + side.title() + " left cannot be measured", e);
    }
  }

  /**
   * Runs a main class and waits for the end.
   *
   * @param dir its own, for all that it writes
   * @return the JSON that it printed behind {@link DrainProcess#MARKER}
   * @throws IllegalStateException if the process fails, with the end of what it printed
   */
  static String run(String title, Class<?> main, List<String> arguments, Path dir, String heap) {
    try {
      Files.createDirectories(dir.resolve("tmp"));
      Path printed = dir.resolve("printed.txt");
      Process process =
          new ProcessBuilder(command(main, arguments, dir, heap))
              .redirectErrorStream(true)
              .redirectOutput(Redirect.to(printed.toFile()))
              .start();
      int exit;
      try {
        exit = process.waitFor();
      } finally {
        process.destroyForcibly();
      }
      List<String> lines = Files.readAllLines(printed, StandardCharsets.UTF_8);
      for (String line : lines) {
        if (exit == 0 && line.startsWith(DrainProcess.MARKER)) {
          return line.substring(DrainProcess.MARKER.length());
        }
      }
      throw new IllegalStateException(
          "The process of %s has ended with exit code %d:%n%s"
              .formatted(title, exit, end(String.join("\n", lines))));
    } catch (IOException e) {
      throw new UncheckedIOException("The process of " + title + " could not be run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while " + title + " was running", e);
    }
  }

  private static List<String> command(
      Class<?> main, List<String> arguments, Path dir, String heap) {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add(heap);
    command.add("-Djava.io.tmpdir=" + dir.resolve("tmp"));
    command.add("-Dtidemark.log.file=" + dir.resolve("tidemark.log"));
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(arguments);
    return command;
  }

  private static String end(String text) {
    return text.substring(Math.max(0, text.length() - SHOWN_CHARACTERS));
  }
}
