package io.tidemark.iceberg;

import org.apache.iceberg.StructLike;
import org.jspecify.annotations.Nullable;

/** A struct over an array of values in Iceberg's internal representation. */
final class ArrayStruct implements StructLike {
  private final @Nullable Object[] values;

  ArrayStruct(int size) {
    values = new @Nullable Object[size];
  }

  @Override
  public int size() {
    return values.length;
  }

  @Override
  @SuppressWarnings("NullAway") // Iceberg's interface has no annotations; null is a value here
  public <T> T get(int pos, Class<T> javaClass) {
    return javaClass.cast(values[pos]);
  }

  @Override
  public <T> void set(int pos, @Nullable T value) {
    values[pos] = value;
  }

  @Nullable Object get(int pos) {
    return values[pos];
  }
}
