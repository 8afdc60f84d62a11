package io.tidemark.iceberg;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What the runs of the tier of tables were, in the form and the file of all tiers. */
final class TablesReport {
  private final long began = System.nanoTime();
  private final Map<String, Long> before = FaultyTables.happened();
  private final String what;
  private final LongAdder runs = new LongAdder();
  private final LongAdder keys = new LongAdder();
  private final LongAdder snapshots = new LongAdder();
  private String failure = "";

  /** Begins, and prints which runs there will be. */
  TablesReport(long firstSeed, long count) throws IOException, InterruptedException {
    what =
        "FaultyCommitsTest, tier tables: %,d runs, seeds %d to %d (-Dtidemark.seed=<one of them>), commit %s"
            .formatted(count, firstSeed, firstSeed + count - 1, commit());
    System.out.println(what);
  }

  /** A run was right. */
  void passed(int itsKeys, int itsSnapshots) {
    runs.increment();
    keys.add(itsKeys);
    snapshots.add(itsSnapshots);
  }

  /** A run was not. */
  void failed(Throwable why) {
    failure = "  FAILED " + why.getMessage() + "\n";
  }

  void write() throws IOException {
    StringBuilder text = new StringBuilder(what);
    text.append("%n  took %d s".formatted((System.nanoTime() - began) / 1_000_000_000));
    text.append(", failures: %d%n".formatted(failure.isEmpty() ? 0 : 1));
    text.append("  keys: %,d%n  runs: %,d%n".formatted(keys.sum(), runs.sum()));
    text.append("  snapshots checked: %,d%n".formatted(snapshots.sum()));
    FaultyTables.happened()
        .forEach(
            (kind, times) ->
                text.append(
                    "  fault, %s: %,d%n".formatted(kind, times - before.getOrDefault(kind, 0L))));
    text.append(failure);
    append(text);
  }

  /** Writes a line of its own, and which commit it is of. */
  static void note(String line) throws IOException, InterruptedException {
    append(line + ", commit " + commit() + "\n");
  }

  private static void append(CharSequence text) throws IOException {
    System.out.print(text);
    String file = System.getProperty("tidemark.report");
    if (file != null) {
      Files.createDirectories(Path.of(file).getParent());
      Files.writeString(Path.of(file), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
  }

  /** With a plus if files were changed since; {@code unknown} outside of a clone. */
  private static String commit() throws IOException, InterruptedException {
    String id = git("rev-parse", "--short=12", "HEAD");
    boolean clean = git("status", "--porcelain", "--untracked-files=no").isEmpty();
    return id.isEmpty() ? "unknown" : clean ? id : id + "+";
  }

  private static String git(String... arguments) throws IOException, InterruptedException {
    String[] command = new String[arguments.length + 1];
    command[0] = "git";
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    try {
      Process git =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String answer = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return git.waitFor() == 0 ? answer.strip() : "";
    } catch (IOException e) {
      return ""; // there is no git
    }
  }
}
