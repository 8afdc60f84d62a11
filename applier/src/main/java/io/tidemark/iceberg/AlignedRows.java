package io.tidemark.iceberg;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** A table for the terminal, numbers to the right. Keeps all rows until the end. */
public final class AlignedRows implements RowFormat {
  private static final String NULL = "∅";

  private final Schema columns;
  private final Writer out;
  private final int[] widths;
  private final List<String[]> rows = new ArrayList<>();

  /**
   * Rows with these columns.
   *
   * @param out flushed at the end, not closed
   */
  public AlignedRows(Schema columns, Writer out) {
    this.columns = columns;
    this.out = out;
    this.widths = new int[columns.columns().size()];
    keep(columns.columns().stream().map(Types.NestedField::name).toArray(String[]::new));
  }

  @Override
  public void row(Record row) {
    String[] cells = new String[widths.length];
    for (int i = 0; i < cells.length; i++) {
      Object value = row.getField(columns.columns().get(i).name());
      cells[i] = value == null ? NULL : ValueText.plain(value).replaceAll("\\p{Cntrl}", "·");
    }
    keep(cells);
  }

  @Override
  public void end() throws IOException {
    for (int i = 0; i < rows.size(); i++) {
      line(rows.get(i));
      if (i == 0) {
        rule();
      }
    }
    out.flush();
  }

  private void keep(String[] cells) {
    for (int i = 0; i < cells.length; i++) {
      widths[i] = Math.max(widths[i], cells[i].codePointCount(0, cells[i].length()));
    }
    rows.add(cells);
  }

  private void line(String[] cells) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.length; i++) {
      String space = " ".repeat(widths[i] - cells[i].codePointCount(0, cells[i].length()));
      line.append(i == 0 ? "" : "  ");
      line.append(isNumber(i) ? space + cells[i] : cells[i] + space);
    }
    out.write(line.toString().stripTrailing());
    out.write('\n');
  }

  private void rule() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      line.append(i == 0 ? "" : "  ").append("-".repeat(widths[i]));
    }
    out.write(line.append('\n').toString());
  }

  private boolean isNumber(int column) {
    Type.TypeID type = columns.columns().get(column).type().typeId();
    return switch (type) {
      case INTEGER, LONG, FLOAT, DOUBLE, DECIMAL -> true;
      default -> false;
    };
  }
}
