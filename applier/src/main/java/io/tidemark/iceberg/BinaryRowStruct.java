package io.tidemark.iceberg;

import io.tidemark.change.Change;
import io.tidemark.change.Told;
import io.tidemark.flink.row.BinaryRowReader;
import io.tidemark.row.RowShape;
import java.util.Map;
import java.util.SortedMap;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/**
 * Shows one change after the other as a row of a table: the columns of the encoded row by their
 * names, and those that Tidemark adds. Columns that the row lacks are null.
 *
 * <p>One instance serves all rows of a writer. Its values are good until it points at the next row.
 */
final class BinaryRowStruct implements StructLike {
  private final BinaryRowReader reader;
  private final ColumnGetter[] getters;
  private String version = "";
  private long sourceTimeMicros;
  private @Nullable Map<String, String> kept;

  /**
   * Rows of a table, or the part of them that a schema selects.
   *
   * @param schema names the columns to show, in order
   * @param shape of the encoded rows
   */
  BinaryRowStruct(Schema schema, RowShape shape) {
    reader = new BinaryRowReader(shape.columns().size());
    getters = new ColumnGetter[schema.columns().size()];
    Map<String, Integer> positions = shape.positions();
    for (int i = 0; i < getters.length; i++) {
      Types.NestedField field = schema.columns().get(i);
      Integer column = positions.get(field.name());
      if (column != null) {
        getters[i] = ColumnGetter.transientOf(shape.columns().get(column).type(), column);
      } else if (field.name().equals(AddedColumns.COMMIT_VERSION)) {
        getters[i] = row -> version;
      } else if (field.name().equals(AddedColumns.SOURCE_TS)) {
        getters[i] = row -> sourceTimeMicros;
      } else if (field.name().equals(AddedColumns.KEPT)) {
        getters[i] = row -> kept;
      } else {
        getters[i] = row -> null;
      }
    }
  }

  /** Shows this change from now on. */
  BinaryRowStruct pointTo(Change change, String versionText) {
    reader.pointTo(change.row());
    version = versionText;
    sourceTimeMicros = change.sourceTimeMicros();
    kept = null;
    return this;
  }

  /** Shows what the row's columns were kept from, too. */
  BinaryRowStruct keeping(SortedMap<String, Told> columns) {
    kept = AddedColumns.keptText(columns);
    return this;
  }

  @Override
  public int size() {
    return getters.length;
  }

  @Override
  @SuppressWarnings("NullAway") // Iceberg's interface has no annotations; null is a value here
  public <T> T get(int pos, Class<T> javaClass) {
    return javaClass.cast(getters[pos].get(reader));
  }

  @Override
  public <T> void set(int pos, @Nullable T value) {
    throw new UnsupportedOperationException("A row is read only");
  }
}
