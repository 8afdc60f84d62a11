package io.tidemark.verify;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How many records each reason holds for. Damaged records may have any number of reasons. */
final class Reasons {
  private static final int MAX_NAMED = 20;

  private final Map<String, Long> counts = new LinkedHashMap<>();
  private long count;

  void add(String reason) {
    count++;
    if (counts.size() < MAX_NAMED || counts.containsKey(reason)) {
      counts.merge(reason, 1L, Long::sum);
    }
  }

  /** Of all reasons. */
  long count() {
    return count;
  }

  /** One for each of the first reasons, and one for all others. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    long others = count;
    for (Map.Entry<String, Long> reason : counts.entrySet()) {
      lines.add(String.format(Locale.ROOT, "%,d: %s", reason.getValue(), reason.getKey()));
      others -= reason.getValue();
    }
    if (others > 0) {
      lines.add(String.format(Locale.ROOT, "%,d: other reasons", others));
    }
    return lines;
  }
}
