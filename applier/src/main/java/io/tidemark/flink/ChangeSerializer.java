package io.tidemark.flink;

import io.tidemark.change.Change;
import io.tidemark.change.Kind;
import io.tidemark.change.PrimaryKey;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Key, kind, version, source time, row. Only ever on the wire: nothing of it lies in a checkpoint.
 */
public final class ChangeSerializer extends ValueSerializer<Change> {
  private static final long serialVersionUID = 1L;

  @Override
  public void serialize(Change change, DataOutputView target) throws IOException {
    writeBytes(change.key().bytes(), target);
    target.writeBoolean(change.kind() == Kind.DELETE);
    VersionBytes.write(change.version(), target);
    target.writeLong(change.sourceTimeMicros());
    writeBytes(change.row(), target);
  }

  @Override
  public Change deserialize(DataInputView source) throws IOException {
    return new Change(
        PrimaryKey.of(readBytes(source)),
        source.readBoolean() ? Kind.DELETE : Kind.UPSERT,
        VersionBytes.read(source),
        source.readLong(),
        readBytes(source));
  }

  /** Written into checkpoints; a change of the bytes needs a new version of it. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<Change> {
    /** For Flink, which creates it by reflection. */
    public Snapshot() {
      super(ChangeSerializer::new);
    }
  }

  @Override
  public TypeSerializerSnapshot<Change> snapshotConfiguration() {
    return new Snapshot();
  }
}
