package io.tidemark.merge;

import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import org.jspecify.annotations.Nullable;

/** The marks of the keys that one gate is responsible for. */
public interface MarkStore {

  /** What is known of a key; null if it was never seen. */
  @Nullable Mark get(PrimaryKey key);

  /** Replaces what is known of a key. */
  void put(PrimaryKey key, Mark mark);
}
