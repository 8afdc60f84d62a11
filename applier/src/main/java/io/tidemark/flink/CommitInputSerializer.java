package io.tidemark.flink;

import io.tidemark.commit.BatchKey;
import io.tidemark.commit.CommitCodec;
import java.io.IOException;
import java.util.Objects;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Only ever on the wire. The committer keeps what it is told in its own form. */
public final class CommitInputSerializer extends ValueSerializer<CommitInput> {
  private static final long serialVersionUID = 1L;

  @Override
  public void serialize(CommitInput input, DataOutputView target) throws IOException {
    if (input instanceof CommitInput.BatchClosed closed) {
      target.writeByte(1);
      target.writeLong(closed.key().checkpoint());
      target.writeInt(closed.key().index());
      CommitCodec.writeFiles(closed.files(), target);
    } else if (input instanceof CommitInput.Read read) {
      target.writeByte(2);
      CommitCodec.writeProgress(read.progress(), target);
    } else if (input instanceof CommitInput.Seeded seeded) {
      target.writeByte(3);
      CommitCodec.writeLiveRows(seeded.rows(), target);
    } else {
      throw new AssertionError(input.getClass());
    }
  }

  @Override
  public CommitInput deserialize(DataInputView source) throws IOException {
    return switch (source.readByte()) {
      case 1 ->
          new CommitInput.BatchClosed(
              new BatchKey(source.readLong(), source.readInt()), CommitCodec.readFiles(source));
      case 2 -> new CommitInput.Read(CommitCodec.readProgress(source));
      case 3 -> new CommitInput.Seeded(Objects.requireNonNull(CommitCodec.readLiveRows(source)));
      default -> throw new IOException("No such input of the committer is known");
    };
  }

  /** Written into checkpoints; a change of the bytes needs a new version of it. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<CommitInput> {
    /** For Flink, which creates it by reflection. */
    public Snapshot() {
      super(CommitInputSerializer::new);
    }
  }

  @Override
  public TypeSerializerSnapshot<CommitInput> snapshotConfiguration() {
    return new Snapshot();
  }
}
