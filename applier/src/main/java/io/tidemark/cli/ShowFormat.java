package io.tidemark.cli;

import io.tidemark.iceberg.RowQuery;
import io.tidemark.iceberg.TableReader;
import java.io.IOException;
import java.io.PrintWriter;

/** How rows are printed; the names are what a user types. */
enum ShowFormat {
  table,
  json,
  csv;

  void print(TableReader reader, RowQuery query, PrintWriter out) throws IOException {
    throw new UnsupportedOperationException("stub " + reader + query + out);
  }
}
