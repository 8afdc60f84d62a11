package io.tidemark.replay;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Rows of the oracle, where they are compared without a table. */
final class Rows {

  private Rows() {}

  /** The row as a table holds it: a number without declared scale is text there. */
  static Map<String, @Nullable Object> plain(@Nullable Map<String, @Nullable Object> row) {
    Map<String, @Nullable Object> plain = new TreeMap<>(Objects.requireNonNull(row));
    for (String column : List.of("c_num", "n", "de65")) {
      plain.computeIfPresent(
          column, (name, value) -> value instanceof BigDecimal n ? n.toPlainString() : value);
    }
    return plain;
  }
}
