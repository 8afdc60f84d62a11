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
 * A mark in state: a byte of format and kind, the version, and for a live key its content hash and
 * partition values. A mark is kept per key of the table, so every byte here counts.
 */
public final class MarkSerializer extends ValueSerializer<Mark> {
  private static final long serialVersionUID = 1L;
  private static final int LIVE = 1;
  private static final int DELETED = 2;

  @Override
  public void serialize(Mark mark, DataOutputView target) throws IOException {
    target.writeByte(mark.live() ? LIVE : DELETED);
    VersionBytes.write(mark.version(), target);
    if (mark.live()) {
      target.writeLong(mark.contentHash());
      writeBytes(mark.partitionValues(), target);
    }
  }

  @Override
  public Mark deserialize(DataInputView source) throws IOException {
    int format = source.readByte();
    if (format != LIVE && format != DELETED) {
      throw new IOException("A mark in state begins with 1 or 2, got " + format);
    }
    CommitVersion version = VersionBytes.read(source);
    return format == DELETED
        ? Mark.deleted(version)
        : new Mark(version, Kind.UPSERT, source.readLong(), readBytes(source));
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
