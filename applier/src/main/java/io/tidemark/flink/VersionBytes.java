package io.tidemark.flink;

import io.tidemark.change.CommitVersion;
import io.tidemark.change.Position;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A commit version's bytes on the wire and in state, the same as {@link CommitVersion#encode()}.
 */
final class VersionBytes {
  private VersionBytes() {}

  static void write(CommitVersion version, DataOutputView target) throws IOException {
    Position position = version.position();
    target.writeInt(version.epoch());
    target.writeLong(position.p1());
    target.writeLong(position.p2());
    target.writeLong(position.p3());
    target.writeByte(version.phase());
    target.writeLong(version.offset());
  }

  static CommitVersion read(DataInputView source) throws IOException {
    return new CommitVersion(
        source.readInt(),
        new Position(source.readLong(), source.readLong(), source.readLong()),
        source.readByte(),
        source.readLong());
  }
}
