package io.tidemark.flink;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * What the serializers of immutable values have in common: no copies, no reuse. A subclass has a
 * public constructor without arguments, which Flink calls when it restores.
 */
abstract class ValueSerializer<T> extends TypeSerializerSingleton<T> {
  private static final long serialVersionUID = 1L;

  @Override
  public final boolean isImmutableType() {
    return true;
  }

  @Override
  public final T copy(T from) {
    return from;
  }

  @Override
  public final T copy(T from, T reuse) {
    return from;
  }

  @Override
  public final T deserialize(T reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public final void copy(DataInputView source, DataOutputView target) throws IOException {
    serialize(deserialize(source), target);
  }

  @Override
  public final int getLength() {
    return -1;
  }

  @Override
  @SuppressWarnings(
      "NullAway") // Flink's contract: the value that a reader fills, null if none is needed
  public final T createInstance() {
    return null;
  }

  static void writeBytes(byte[] bytes, DataOutputView target) throws IOException {
    writeLength(bytes.length, target);
    target.write(bytes);
  }

  static byte[] readBytes(DataInputView source) throws IOException {
    byte[] bytes = new byte[readLength(source)];
    source.readFully(bytes);
    return bytes;
  }

  /** Seven bits a byte, lowest first: most lengths are short. */
  static void writeLength(int length, DataOutputView target) throws IOException {
    int rest = length;
    while ((rest & ~0x7f) != 0) {
      target.writeByte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    target.writeByte(rest);
  }

  static int readLength(DataInputView source) throws IOException {
    int length = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      int next = source.readUnsignedByte();
      length |= (next & 0x7f) << shift;
      if ((next & 0x80) == 0) {
        return length;
      }
    }
    throw new IOException("A length takes at most five bytes");
  }
}
