package io.tidemark.merge;

import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import io.tidemark.commit.LiveRows;
import java.io.IOException;
import java.io.Serializable;
import java.util.function.BiConsumer;

/** The marks that a table and its tombstones hold, for a start without state. */
public interface Seed extends Serializable {

  /**
   * Reads all marks. A key may come several times: the caller keeps the highest.
   *
   * @param marks takes each mark; may keep it. Called by several threads at once
   * @return the rows among them, which are all that the table has
   * @throws IOException if a file could not be read
   * @throws InterruptedException if the calling thread was interrupted; nothing is read any more
   *     when it is thrown
   * @throws io.tidemark.failure.RefusedException if the table holds two live rows of one key, or
   *     other rows than its record counts
   */
  LiveRows read(BiConsumer<PrimaryKey, Mark> marks) throws IOException, InterruptedException;
}
