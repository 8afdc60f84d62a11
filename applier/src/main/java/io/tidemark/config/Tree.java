package io.tidemark.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A YAML document with its line numbers, before any meaning is given to it. */
sealed interface Tree {

  /** Line in the file, from 1. */
  int line();

  /** What a message calls it. */
  String shown();

  /**
   * A scalar.
   *
   * @param written as it stands in the file, safe to show
   * @param text with its variables filled in, which may be a secret
   */
  record Scalar(String written, String text, int line) implements Tree {
    @Override
    public String shown() {
      return '"' + written + '"';
    }

    @Override
    public String toString() {
      return shown();
    }
  }

  /** A scalar with a variable that could not be filled, which is already a problem. */
  record Unfilled(String written, int line) implements Tree {
    @Override
    public String shown() {
      return '"' + written + '"';
    }
  }

  /** Nothing after the colon. */
  record Empty(int line) implements Tree {
    @Override
    public String shown() {
      return "nothing";
    }
  }

  /** A list. */
  record Listing(List<Tree> items, int line) implements Tree {
    @Override
    public String shown() {
      return "a list";
    }
  }

  /**
   * A mapping.
   *
   * @param lines of the keys
   */
  record Mapping(Map<String, Tree> entries, Map<String, Integer> lines, int line) implements Tree {
    static Mapping empty(int line) {
      return new Mapping(new LinkedHashMap<>(), Map.of(), line);
    }

    @Override
    public String shown() {
      return "a mapping";
    }
  }
}
