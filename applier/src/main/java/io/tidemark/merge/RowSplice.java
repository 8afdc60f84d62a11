package io.tidemark.merge;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts encoded rows together. */
@FunctionalInterface
public interface RowSplice {

  /**
   * A row with some columns of others.
   *
   * @param row where all other columns come from; not changed
   * @param columns by column the row that its value comes from; null for null
   * @return the same bytes as if the row had been encoded with these values
   */
  byte[] splice(byte[] row, Map<String, byte @Nullable []> columns);
}
