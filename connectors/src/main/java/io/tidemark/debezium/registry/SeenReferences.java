package io.tidemark.debezium.registry;

import io.tidemark.debezium.json.Problem;
import java.util.HashSet;
import java.util.Set;

/** What a schema refers to, each once, and not without end. */
final class SeenReferences {
  static final int MOST = 100;

  private final Set<String> paths = new HashSet<>();

  /**
   * Adds one.
   *
   * @return false if it is there already
   */
  boolean add(String path) throws Problem {
    if (paths.size() == MOST) {
      throw new Problem(
          "expected a schema that refers to at most " + MOST + " others, found one with more");
    }
    return paths.add(path);
  }
}
