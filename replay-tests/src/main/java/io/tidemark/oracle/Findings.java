package io.tidemark.oracle;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The differences that were found: how many of each kind, and the first of each. */
public final class Findings {

  /**
   * One of them.
   *
   * @param what the key, or the file
   * @param detail more of it, without values; may be empty
   * @param columns that differ; empty where that is not the question
   * @param found the row in the table; null for none
   * @param expected the record in the log that it should be made of; null for none
   */
  public record Example(
      String what,
      String detail,
      List<String> columns,
      @Nullable Map<String, @Nullable Object> found,
      @Nullable Place expected) {

    static Example of(String what) {
      return new Example(what, "", List.of(), null, null);
    }
  }

  private final int limit;
  private final Map<Difference, Long> counts = new EnumMap<>(Difference.class);
  private final Map<Difference, List<Example>> examples = new EnumMap<>(Difference.class);

  /**
   * None yet.
   *
   * @param limit how many examples of a kind are kept
   */
  public Findings(int limit) {
    this.limit = limit;
  }

  /** Adds one. */
  public void add(Difference kind, Example example) {
    counts.merge(kind, 1L, Long::sum);
    List<Example> kept = examples.computeIfAbsent(kind, k -> new ArrayList<>());
    if (kept.size() < limit) {
      kept.add(example);
    }
  }

  /** Adds one of which there is no more to say. */
  public void add(Difference kind, String what) {
    add(kind, Example.of(what));
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return counts.isEmpty();
  }

  /** How many there are of a kind. */
  public long count(Difference kind) {
    return counts.getOrDefault(kind, 0L);
  }

  /** The first of a kind. */
  public List<Example> examples(Difference kind) {
    return List.copyOf(examples.getOrDefault(kind, List.of()));
  }
}
