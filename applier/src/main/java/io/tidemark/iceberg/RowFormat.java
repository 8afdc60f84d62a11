package io.tidemark.iceberg;

import java.io.IOException;
import org.apache.iceberg.data.Record;

/** Writes rows for people or programs. */
public interface RowFormat {

  /** Writes one row. */
  void row(Record row) throws IOException;

  /** Writes what follows the last row. */
  void end() throws IOException;
}
