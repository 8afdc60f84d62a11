package io.tidemark.flink.row;

import io.tidemark.merge.RowSplice;
import io.tidemark.row.RowShape;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts rows together that {@link BinaryRowEncoder} wrote. Not thread-safe. */
public final class BinaryRowSplice implements RowSplice {
  private final Map<String, Integer> positions;
  private final int arity;
  private final BinaryRowEncoder encoder;
  private final BinaryRowReader from;

  /** For rows of one shape. */
  public BinaryRowSplice(RowShape shape) {
    positions = shape.positions();
    arity = shape.columns().size();
    encoder = new BinaryRowEncoder(shape);
    from = new BinaryRowReader(arity);
  }

  @Override
  public byte[] splice(byte[] row, Map<String, byte @Nullable []> columns) {
    byte @Nullable [][] sources = new byte @Nullable [arity][];
    java.util.Arrays.fill(sources, row);
    columns.forEach(
        (column, source) -> {
          Integer position = positions.get(column);
          if (position != null) { // else the table has lost it since
            sources[position] = source;
          }
        });
    encoder.start();
    for (int i = 0; i < arity; i++) {
      byte[] source = sources[i];
      if (source != null) {
        from.pointTo(source);
        encoder.copyFrom(from, i);
      }
    }
    return encoder.finish();
  }
}
