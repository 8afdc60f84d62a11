package io.tidemark.processes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A JVM of its own. Signals go to the process id that it was started with, and never to another
 * one: a process that has ended gets none.
 */
final class ChildJvm implements AutoCloseable {
  // Java's own compiler made the classes; to verify each again is a quarter of a start's time.
  private static final List<String> QUICK_START =
      List.of(
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:-BytecodeVerificationRemote",
          "-Xshare:auto",
          "-Xss512k");

  private final String name;
  private final Process process;
  private final Path log;

  private ChildJvm(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
  }

  /**
   * What to start.
   *
   * @param dir its working and temporary directory, and that of its log
   * @param heapMegabytes at most
   * @param environment besides that of this process
   */
  record Command(
      String name,
      Path dir,
      int heapMegabytes,
      String classPath,
      String mainClass,
      List<String> arguments,
      Map<String, String> environment) {}

  static ChildJvm start(Command command) {
    try {
      Path tmp = Files.createDirectories(command.dir().resolve("tmp"));
      Path log = command.dir().resolve(command.name() + ".log");
      List<String> line = new ArrayList<>();
      line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      line.addAll(QUICK_START);
      line.add("@" + options());
      line.add("-Xmx" + command.heapMegabytes() + "m");
      line.add("-Djava.io.tmpdir=" + tmp);
      line.add("-Dlog4j2.configurationFile=" + logging(command.dir()));
      line.addAll(List.of("-cp", command.classPath(), command.mainClass()));
      line.addAll(command.arguments());
      ProcessBuilder builder = new ProcessBuilder(line).directory(command.dir().toFile());
      builder.environment().keySet().removeIf(key -> key.startsWith("JAVA_TOOL_"));
      builder.environment().putAll(command.environment());
      builder.redirectErrorStream(true).redirectOutput(Redirect.appendTo(log.toFile()));
      Process process = builder.start();
      // A test that is interrupted leaves none behind.
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
      return new ChildJvm(command.name(), process, log);
    } catch (IOException e) {
      throw new UncheckedIOException(command.name() + " could not be started", e);
    }
  }

  private static Path options() {
    return Path.of("..", "etc", "java.options").toAbsolutePath().normalize();
  }

  private static Path logging(Path dir) throws IOException {
    Path file = dir.resolve("log4j2.properties");
    if (!Files.exists(file)) {
      Files.writeString(
          file,
          """
          rootLogger.level = warn
          rootLogger.appenderRef.out.ref = out
          logger.tidemark.name = io.tidemark
          logger.tidemark.level = info
          # flink run logs into a file of its own and prints for people.
          logger.cli.name = org.apache.flink.client
          logger.cli.level = off
          logger.flink.name = org.apache.flink.runtime
          logger.flink.level = info
          appender.out.name = out
          appender.out.type = Console
          appender.out.layout.type = PatternLayout
          appender.out.layout.pattern = %d{HH:mm:ss.SSS} %-5p %c{1} - %m%n%ex{25}
          """);
    }
    return file;
  }

  String name() {
    return name;
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** SIGKILL, and waits until the process is no more. */
  void kill() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while killing " + name, e);
    }
  }

  /** SIGSTOP: it does nothing any more and keeps all that it has. */
  void stop() {
    signal("-STOP");
  }

  /** SIGCONT: it goes on as if no time had passed. */
  void resume() {
    signal("-CONT");
  }

  private void signal(String signal) {
    if (!isAlive()) {
      throw new IllegalStateException(name + " has ended:\n" + tail());
    }
    run("kill", signal, String.valueOf(pid()));
  }

  /** Whether {@link #limitFiles} works here: it is Linux's. */
  static boolean canLimitFiles() {
    return Files.isExecutable(Path.of("/usr/bin/prlimit"));
  }

  /** Ends every write that makes a file longer than this with an error, as a full disk does. */
  void limitFiles(long bytes) {
    run("prlimit", "--pid", String.valueOf(pid()), "--fsize=" + bytes + ":unlimited");
  }

  /** Waits for the end, and gives the exit code. */
  int await(int seconds) {
    try {
      if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
        throw new AssertionError(name + " did not end in " + seconds + " s:\n" + tail());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for " + name, e);
    }
  }

  /** All that it has printed. */
  String printed() {
    try {
      return Files.readString(log, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The end of what it has printed. */
  String tail() {
    String text = printed();
    return text.substring(Math.max(0, text.length() - 6000));
  }

  private static void run(String... command) {
    try {
      Process done = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(done.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (done.waitFor() != 0) {
        throw new IllegalStateException(String.join(" ", command) + ": " + said);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted in " + command[0], e);
    }
  }

  @Override
  public void close() {
    if (isAlive()) {
      kill();
    }
  }
}
