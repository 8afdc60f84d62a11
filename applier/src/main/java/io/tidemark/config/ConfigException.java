package io.tidemark.config;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration that cannot be used; carries everything that is wrong with it. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("serial") // an immutable list of records
  private final List<Problem> problems;

  /**
   * Makes the message of all problems, one a line.
   *
   * @param problems at least one
   */
  public ConfigException(List<Problem> problems) {
    super(message(problems));
    this.problems = List.copyOf(problems);
  }

  /** One problem that belongs to no line. */
  public static ConfigException of(String key, String message) {
    return new ConfigException(List.of(new Problem(key, 0, message)));
  }

  /** In the order of the file. */
  public List<Problem> problems() {
    return problems;
  }

  private static String message(List<Problem> problems) {
    String head =
        problems.size() == 1
            ? "The configuration has a problem:"
            : "The configuration has " + problems.size() + " problems:";
    return problems.stream()
        .map(problem -> "\n  " + problem.toString().replace("\n", "\n    "))
        .collect(Collectors.joining("", head, ""));
  }
}
