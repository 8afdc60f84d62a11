package io.tidemark.iceberg;

import java.io.IOException;
import java.io.Writer;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/**
 * Comma-separated values with a header line, as RFC 4180 has them but with plain line ends. Null is
 * nothing at all, an empty text is quoted.
 */
public final class CsvRows implements RowFormat {
  private final Schema columns;
  private final Writer out;
  private boolean headed;

  /**
   * Rows with these columns.
   *
   * @param out flushed at the end, not closed
   */
  public CsvRows(Schema columns, Writer out) {
    this.columns = columns;
    this.out = out;
  }

  @Override
  public void row(Record row) throws IOException {
    head();
    String separator = "";
    for (Types.NestedField column : columns.columns()) {
      out.write(separator);
      out.write(cell(row.getField(column.name())));
      separator = ",";
    }
    out.write('\n');
  }

  @Override
  public void end() throws IOException {
    head();
    out.flush();
  }

  private void head() throws IOException {
    if (!headed) {
      headed = true;
      String separator = "";
      for (Types.NestedField column : columns.columns()) {
        out.write(separator);
        out.write(cell(column.name()));
        separator = ",";
      }
      out.write('\n');
    }
  }

  private static String cell(@Nullable Object value) {
    if (value == null) {
      return "";
    }
    String text = ValueText.plain(value);
    boolean quote =
        text.isEmpty()
            || text.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return quote ? "\"" + text.replace("\"", "\"\"") + "\"" : text;
  }
}
