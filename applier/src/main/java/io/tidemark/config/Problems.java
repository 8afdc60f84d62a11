package io.tidemark.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects everything that is wrong, so that it can be reported at once. Not thread-safe. */
final class Problems {
  private final List<Problem> found = new ArrayList<>();

  void add(String key, int line, String message) {
    found.add(new Problem(key, line, message));
  }

  /** A value that does not fit; {@code tree} is shown as it was written, secrets masked. */
  void unfit(String key, Tree tree, String expected) {
    if (tree instanceof Tree.Unfilled) {
      return;
    }
    add(key, tree.line(), "found " + Secrets.shown(key, tree) + ", expected " + expected);
  }

  int count() {
    return found.size();
  }

  /** Throws all of them, in the order of the file. */
  void throwIfAny() {
    if (!found.isEmpty()) {
      List<Problem> sorted = new ArrayList<>(found);
      sorted.sort(Comparator.comparingInt(p -> p.line() > 0 ? p.line() : Integer.MAX_VALUE));
      throw new ConfigException(sorted);
    }
  }
}
