package io.tidemark.merge;

import io.tidemark.change.PrimaryKey;
import org.jspecify.annotations.Nullable;

/**
 * Rows that may soon be needed again, by key. It holds what it was given or nothing; what it lacks
 * is read from where it was written, so that a store may forget.
 */
public interface RowStore {

  /** A key's row; null if there is none here. It may be older than what was written since. */
  @Nullable StoredRow get(PrimaryKey key);

  /** Replaces a key's row. */
  void put(PrimaryKey key, StoredRow row);

  /** Forgets a key's row. */
  void remove(PrimaryKey key);
}
