package io.tidemark.config;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Names as a user types them. */
public final class Names {
  private Names() {}

  /** {@code DEAD_LETTER} as {@code dead-letter}. */
  public static String of(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** {@code a, b or c}. */
  public static String oneOf(Collection<String> names) {
    List<String> all = List.copyOf(names);
    if (all.size() < 2) {
      return String.join("", all);
    }
    return String.join(", ", all.subList(0, all.size() - 1)) + " or " + all.get(all.size() - 1);
  }

  /** The known name that was probably meant: at most a third of its letters differ. */
  public static Optional<String> nearest(String name, Collection<String> known) {
    String best = null;
    int least = Integer.MAX_VALUE;
    for (String candidate : known) {
      int distance = distance(lower(name), lower(candidate));
      if (distance < least && distance * 3 <= Math.max(candidate.length(), 3)) {
        best = candidate;
        least = distance;
      }
    }
    return Optional.ofNullable(best);
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** How many letters are changed, added, left out or swapped with the next. */
  private static int distance(String a, String b) {
    int[] last = new int[b.length() + 1];
    int[] above = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      above[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        row[j] = Math.min(above[j - 1] + change, Math.min(above[j], row[j - 1]) + 1);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          row[j] = Math.min(row[j], last[j - 2] + 1);
        }
      }
      last = above;
      above = row;
    }
    return above[b.length()];
  }
}
