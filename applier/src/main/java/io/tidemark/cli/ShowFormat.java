package io.tidemark.cli;

import io.tidemark.iceberg.AlignedRows;
import io.tidemark.iceberg.CsvRows;
import io.tidemark.iceberg.JsonRows;
import io.tidemark.iceberg.RowFormat;
import io.tidemark.iceberg.RowQuery;
import io.tidemark.iceberg.TableReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import org.apache.iceberg.Schema;

/** How rows are printed. */
enum ShowFormat {
  TABLE {
    @Override
    RowFormat to(Schema columns, Writer out) {
      return new AlignedRows(columns, out);
    }
  },
  JSON {
    @Override
    RowFormat to(Schema columns, Writer out) throws IOException {
      return new JsonRows(columns, out);
    }
  },
  CSV {
    @Override
    RowFormat to(Schema columns, Writer out) {
      return new CsvRows(columns, out);
    }
  };

  abstract RowFormat to(Schema columns, Writer out) throws IOException;

  void print(TableReader reader, RowQuery query, Writer out) throws IOException {
    RowFormat rows = to(reader.columns(query), out);
    try {
      reader.read(
          query,
          row -> {
            try {
              rows.row(row);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    rows.end();
  }
}
