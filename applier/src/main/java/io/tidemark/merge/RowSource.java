package io.tidemark.merge;

import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Rows where they were written: in the table, or in files on their way into it. */
public interface RowSource {

  /**
   * A row that is looked for.
   *
   * @param mark what is known of it; of a live row
   * @param keyColumns any encoded row that has the key's columns
   */
  @SuppressWarnings("ArrayRecordComponent") // passed through, never compared
  record Wanted(PrimaryKey key, Mark mark, byte[] keyColumns) {}

  /**
   * Reads rows.
   *
   * @return each that was wanted
   * @throws IOException if a file cannot be read
   * @throws io.tidemark.failure.RefusedException if the table has other rows than this job knows
   * @throws io.tidemark.commit.UnavailableException if a row is not to be found now
   */
  Map<PrimaryKey, StoredRow> read(List<Wanted> wanted) throws IOException;
}
