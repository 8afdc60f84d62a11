package io.tidemark.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Compares every column of every row of two tables, given first the rows of the one and then those
 * of the other. The first value of a row is its key.
 */
final class ContentComparison {

  /**
   * What was found.
   *
   * @param rows how many rows differ, are missing, are there without being expected, or come twice
   * @param examples the first {@value #MAX_EXAMPLES} of them, with key, column and both values
   */
  record Differences(long rows, List<String> examples) {

    boolean none() {
      return rows == 0;
    }
  }

  static final int MAX_EXAMPLES = 5;

  private final List<String> columns;
  private final Map<Object, List<@Nullable Object>> expected = new HashMap<>();
  private final List<String> examples = new ArrayList<>();
  private long different;

  ContentComparison(List<String> columns) {
    this.columns = List.copyOf(columns);
  }

  /** A row that both tables should have. */
  void expect(List<@Nullable Object> row) {
    if (expected.put(key(row), row) != null) {
      report(key(row), "is expected more than once");
    }
  }

  /** A row of the other table; comes after all that are expected. */
  void find(List<@Nullable Object> row) {
    List<@Nullable Object> wanted = expected.remove(key(row));
    if (wanted == null) {
      report(key(row), "is not expected, or is there more than once");
      return;
    }
    for (int i = 0; i < columns.size(); i++) {
      if (!Objects.equals(wanted.get(i), row.get(i))) {
        report(
            key(row),
            "column %s: expected %s, found %s"
                .formatted(columns.get(i), wanted.get(i), row.get(i)));
        return;
      }
    }
  }

  /** The outcome; comes after all rows. */
  Differences end() {
    expected.keySet().forEach(key -> report(key, "is missing"));
    expected.clear();
    return new Differences(different, List.copyOf(examples));
  }

  private void report(Object key, String problem) {
    different++;
    if (examples.size() < MAX_EXAMPLES) {
      examples.add("key " + key + " " + problem);
    }
  }

  private static Object key(List<@Nullable Object> row) {
    return Objects.requireNonNull(row.get(0), "a key is never null");
  }
}
