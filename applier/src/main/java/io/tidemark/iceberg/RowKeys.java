package io.tidemark.iceberg;

import io.tidemark.change.PrimaryKey;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;

/** Makes the keys of whole rows that Iceberg's generic reader returned. Not thread-safe. */
public final class RowKeys {
  private final StructKeys keys;
  private final InternalRecordWrapper internal;

  /**
   * Keys of rows.
   *
   * @param rows their schema, with its identifier fields
   */
  public RowKeys(Schema rows) {
    keys = new StructKeys(rows, StructKeys.names(rows));
    internal = new InternalRecordWrapper(rows.asStruct());
  }

  /** The key of a row. */
  public PrimaryKey of(Record row) {
    return keys.of(internal.wrap(row));
  }
}
