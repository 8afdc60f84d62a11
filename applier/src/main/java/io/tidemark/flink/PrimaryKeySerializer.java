package io.tidemark.flink;

import io.tidemark.change.PrimaryKey;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Length and canonical bytes. */
public final class PrimaryKeySerializer extends ValueSerializer<PrimaryKey> {
  private static final long serialVersionUID = 1L;

  @Override
  public void serialize(PrimaryKey key, DataOutputView target) throws IOException {
    writeBytes(key.bytes(), target);
  }

  @Override
  public PrimaryKey deserialize(DataInputView source) throws IOException {
    return PrimaryKey.of(readBytes(source));
  }

  /** Written into checkpoints; a change of the bytes needs a new version of it. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<PrimaryKey> {
    /** For Flink, which creates it by reflection. */
    public Snapshot() {
      super(PrimaryKeySerializer::new);
    }
  }

  @Override
  public TypeSerializerSnapshot<PrimaryKey> snapshotConfiguration() {
    return new Snapshot();
  }
}
