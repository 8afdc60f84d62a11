package io.tidemark.sandbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * In which rows two contents of {@code shop.orders} differ.
 *
 * @param rows how many rows differ, are missing, are there without being expected, or come twice
 * @param examples the first {@value #MAX_EXAMPLES} of them, with key, column and both values
 */
record Differences(int rows, List<String> examples) {

  private static final int MAX_EXAMPLES = 10;

  /** Compares every column of every row. */
  static Differences between(OrderRows expected, OrderRows found) {
    TreeSet<Long> keys = new TreeSet<>(expected.byKey().keySet());
    keys.addAll(found.byKey().keySet());
    int rows = 0;
    List<String> examples = new ArrayList<>();
    for (Long key : keys) {
      List<String> problems = ofRow(expected.byKey().get(key), found.byKey().get(key));
      if (found.repeatedKeys().contains(key)) {
        problems.add("is there more than once");
      }
      if (!problems.isEmpty()) {
        rows++;
        problems.forEach(problem -> examples.add("key " + key + " " + problem));
      }
    }
    return new Differences(
        rows, List.copyOf(examples.subList(0, Math.min(MAX_EXAMPLES, examples.size()))));
  }

  private static List<String> ofRow(
      @Nullable List<@Nullable String> expected, @Nullable List<@Nullable String> found) {
    List<String> problems = new ArrayList<>();
    if (expected == null) {
      problems.add("is not expected");
    } else if (found == null) {
      problems.add("is missing");
    } else {
      for (int i = 0; i < expected.size(); i++) {
        if (!Objects.equals(expected.get(i), found.get(i))) {
          problems.add(
              "column %s: expected %s, found %s"
                  .formatted(
                      OrderColumn.ALL.get(i).name(),
                      quoted(expected.get(i)),
                      quoted(found.get(i))));
        }
      }
    }
    return problems;
  }

  private static String quoted(@Nullable String value) {
    return value == null ? "NULL" : "'" + value + "'";
  }
}
