package io.tidemark.merge;

/** Where a row lies in its table. */
public interface Placement {

  /**
   * The encoded values that a row has in the columns that the table is partitioned by.
   *
   * @param row an encoded row with all its columns
   * @return empty for an unpartitioned table
   */
  byte[] of(byte[] row);
}
