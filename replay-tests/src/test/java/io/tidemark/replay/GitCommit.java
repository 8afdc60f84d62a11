package io.tidemark.replay;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The commit whose tests run, so that a seed can be run again on the same code. */
final class GitCommit {

  private GitCommit() {}

  /** Its id, with a plus if files were changed since; {@code unknown} outside of a clone. */
  static String current() {
    try {
      String id = git("rev-parse", "--short=12", "HEAD");
      return git("status", "--porcelain", "--untracked-files=no").isEmpty() ? id : id + "+";
    } catch (IOException e) {
      return "unknown";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "unknown";
    }
  }

  private static String git(String... arguments) throws IOException, InterruptedException {
    List<String> command = new java.util.ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    Process git =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String answer = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (git.waitFor() != 0) {
      throw new IOException("git does not answer");
    }
    return answer;
  }
}
