package io.tidemark.debezium.avro;

import com.fasterxml.jackson.core.JsonStreamContext;
import org.jspecify.annotations.Nullable;

/** An object or list that the parser is inside of, or the root. */
final class AvroFrame extends JsonStreamContext {
  final AvroType type;
  private final @Nullable AvroFrame parent;
  private final int context;

  /** Index of the record's next field; at the root, whether the value was begun. */
  int next;

  /** Elements left in the block; 0 where a block may begin. */
  long left;

  /** Whether the value of {@link #name} comes next. */
  boolean named;

  @Nullable String name;

  AvroFrame(AvroType type, @Nullable AvroFrame parent, int context) {
    this.type = type;
    this.parent = parent;
    this.context = context;
    _type = context;
  }

  boolean isRoot() {
    return context == TYPE_ROOT;
  }

  @Override
  public @Nullable AvroFrame getParent() {
    return parent;
  }

  @Override
  public @Nullable String getCurrentName() {
    return name;
  }
}
