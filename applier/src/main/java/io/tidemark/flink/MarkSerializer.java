package io.tidemark.flink;

import io.tidemark.change.CommitVersion;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A mark in state: a byte of format and kind, the version, for a live key its content hash and
 * partition values, for a deleted one the time of its delete. A mark is kept per key of the table,
 * so every byte here counts.
 */
public final class MarkSerializer extends ValueSerializer<Mark> {
  private static final long serialVersionUID = 1L;
  private static final int LIVE = 1;
  private static final int DELETED_SOME_TIME = 2;
  private static final int DELETED = 3;

  @Override
  public void serialize(Mark mark, DataOutputView target) throws IOException {
    target.writeByte(mark.live() ? LIVE : DELETED);
    VersionBytes.write(mark.version(), target);
    if (mark.live()) {
      target.writeLong(mark.contentHash());
      writeBytes(mark.partitionValues(), target);
    } else {
      target.writeLong(mark.deletedAtMicros());
    }
  }

  @Override
  public Mark deserialize(DataInputView source) throws IOException {
    int format = source.readByte();
    if (format < LIVE || format > DELETED) {
      throw new IOException("A mark in state begins with 1, 2 or 3, got " + format);
    }
    CommitVersion version = VersionBytes.read(source);
    return switch (format) {
      case LIVE -> new Mark(version, Kind.UPSERT, source.readLong(), readBytes(source));
      case DELETED -> Mark.deleted(version, source.readLong());
      default -> Mark.deleted(version, Mark.NEVER);
    };
  }

  /** Written into checkpoints; a change of the bytes needs a new version of it. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<Mark> {
    /** For Flink, which creates it by reflection. */
    public Snapshot() {
      super(MarkSerializer::new);
    }
  }

  @Override
  public TypeSerializerSnapshot<Mark> snapshotConfiguration() {
    return new Snapshot();
  }
}
