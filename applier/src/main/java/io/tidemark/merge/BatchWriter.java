package io.tidemark.merge;

import io.tidemark.commit.WrittenFiles;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;

/** Turns a batch of winners into files that no table knows yet, and can read them back. */
public interface BatchWriter extends RowSource, AutoCloseable {

  /**
   * Writes one batch.
   *
   * @param winners at most one per key; may be reordered by the writer
   * @return the files, closed and complete, in the order in which they do not matter to each other
   * @throws IOException if a file could not be written; files of this batch may be left behind
   */
  WrittenFiles write(List<Winner> winners) throws IOException;

  @Override
  void close() throws IOException;

  /** Opens the writer of one subtask. */
  interface Factory extends Serializable {

    /**
     * Opens a writer.
     *
     * @param subtask index of the subtask, at least 0; together with {@code attempt} it keeps file
     *     names apart
     * @param attempt how often this subtask was started, at least 0
     */
    BatchWriter open(int subtask, int attempt);

    /** How rows are placed, for the marks of this table. */
    Placement placement();

    /** How encoded rows of this table are put together. */
    RowSplice splice();
  }
}
