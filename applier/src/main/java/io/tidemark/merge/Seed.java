package io.tidemark.merge;

import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import java.io.IOException;
import java.io.Serializable;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** The marks that a table and its tombstones hold, for a start without state. */
public interface Seed extends Serializable {

  /**
   * Reads the marks of some keys. A key may come several times: the caller keeps the highest.
   *
   * @param wanted the keys to read
   * @param marks takes each mark; may keep it
   * @throws IOException if a file could not be read
   * @throws IllegalStateException if the table holds two live rows of one key
   */
  void read(Predicate<PrimaryKey> wanted, BiConsumer<PrimaryKey, Mark> marks) throws IOException;
}
