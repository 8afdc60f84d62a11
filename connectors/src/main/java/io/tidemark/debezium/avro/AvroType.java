package io.tidemark.debezium.avro;

import java.util.Arrays;
import java.util.List;

/**
 * What comes next in the bytes: a schema, reduced to what reading needs. Immutable, and without
 * cycles.
 */
final class AvroType {

  /** Avro's types. */
  enum Kind {
    NULL,
    BOOLEAN,
    INT,
    LONG,
    FLOAT,
    DOUBLE,
    BYTES,
    STRING,
    FIXED,
    ENUM,
    ARRAY,
    MAP,
    UNION,
    RECORD
  }

  final Kind kind;

  /** Bytes of a {@link Kind#FIXED}. */
  final int size;

  private final String[] names;
  private final AvroType[] parts;

  private AvroType(Kind kind, int size, String[] names, AvroType[] parts) {
    this.kind = kind;
    this.size = size;
    this.names = names;
    this.parts = parts;
  }

  static AvroType of(Kind kind) {
    return new AvroType(kind, 0, new String[0], new AvroType[0]);
  }

  static AvroType fixed(int size) {
    return new AvroType(Kind.FIXED, size, new String[0], new AvroType[0]);
  }

  static AvroType enumeration(List<String> symbols) {
    return new AvroType(Kind.ENUM, 0, symbols.toArray(new String[0]), new AvroType[0]);
  }

  /** An {@link Kind#ARRAY} or {@link Kind#MAP}. */
  static AvroType many(Kind kind, AvroType element) {
    return new AvroType(kind, 0, new String[0], new AvroType[] {element});
  }

  static AvroType union(List<AvroType> branches) {
    return new AvroType(Kind.UNION, 0, new String[0], branches.toArray(new AvroType[0]));
  }

  static AvroType record(List<String> names, List<AvroType> types) {
    return new AvroType(
        Kind.RECORD, 0, names.toArray(new String[0]), types.toArray(new AvroType[0]));
  }

  /** How many branches or fields there are. */
  int count() {
    return parts.length;
  }

  /** How many symbols there are. */
  int symbols() {
    return names.length;
  }

  /** A field's or a symbol's name. */
  String name(int index) {
    return names[index];
  }

  /** A branch's or a field's type; the element's at 0. */
  AvroType part(int index) {
    return parts[index];
  }

  @Override
  public String toString() {
    return kind + Arrays.toString(parts);
  }
}
