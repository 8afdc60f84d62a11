package io.tidemark.flink;

import io.tidemark.change.Change;
import io.tidemark.change.CommitVersion;
import io.tidemark.change.Kind;
import io.tidemark.change.PrimaryKey;
import io.tidemark.change.RemovedRow;
import io.tidemark.change.SourceOffset;
import io.tidemark.change.Unsent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Key, kind, version, source time, row, and where the source left columns out, which and where it
 * says so; of a delete that names its row, the row's hash. Only ever on the wire: nothing of it
 * lies in a checkpoint.
 */
public final class ChangeSerializer extends ValueSerializer<Change> {
  private static final long serialVersionUID = 1L;
  private static final int UPSERT = 0;
  private static final int DELETE = 1;
  private static final int UPDATE_WITHOUT = 2;
  private static final int INSERT_WITHOUT = 3;
  private static final int DELETE_OF_ROW = 4;

  @Override
  public void serialize(Change change, DataOutputView target) throws IOException {
    writeBytes(change.key().bytes(), target);
    Unsent unsent = change.unsent();
    if (change.kind() == Kind.DELETE) {
      target.writeByte(change.removed() == null ? DELETE : DELETE_OF_ROW);
    } else if (unsent == null) {
      target.writeByte(UPSERT);
    } else {
      target.writeByte(unsent.insert() ? INSERT_WITHOUT : UPDATE_WITHOUT);
    }
    VersionBytes.write(change.version(), target);
    target.writeLong(change.sourceTimeMicros());
    writeBytes(change.row(), target);
    if (unsent != null) {
      writeUnsent(unsent, target);
    }
    RemovedRow removed = change.removed();
    if (removed != null) {
      target.writeLong(removed.contentHash());
      writePlace(removed.at(), target);
    }
  }

  @Override
  public Change deserialize(DataInputView source) throws IOException {
    PrimaryKey key = PrimaryKey.of(readBytes(source));
    int form = source.readByte();
    CommitVersion version = VersionBytes.read(source);
    long time = source.readLong();
    byte[] row = readBytes(source);
    return switch (form) {
      case UPSERT -> new Change(key, Kind.UPSERT, version, time, row);
      case DELETE -> new Change(key, Kind.DELETE, version, time, row);
      case UPDATE_WITHOUT ->
          new Change(key, Kind.UPSERT, version, time, row, readUnsent(false, source));
      case INSERT_WITHOUT ->
          new Change(key, Kind.UPSERT, version, time, row, readUnsent(true, source));
      case DELETE_OF_ROW ->
          new Change(
              key,
              Kind.DELETE,
              version,
              time,
              row,
              null,
              new RemovedRow(source.readLong(), readPlace(source)));
      default -> throw new IOException("A change on the wire has form 0 to 4, got " + form);
    };
  }

  private static void writePlace(SourceOffset at, DataOutputView target) throws IOException {
    target.writeUTF(at.topic());
    target.writeInt(at.partition());
    target.writeLong(at.offset());
  }

  private static SourceOffset readPlace(DataInputView source) throws IOException {
    return new SourceOffset(source.readUTF(), source.readInt(), source.readLong());
  }

  private static void writeUnsent(Unsent unsent, DataOutputView target) throws IOException {
    writePlace(unsent.at(), target);
    writeLength(unsent.columns().size(), target);
    for (String column : unsent.columns()) {
      target.writeUTF(column);
    }
  }

  private static Unsent readUnsent(boolean insert, DataInputView source) throws IOException {
    SourceOffset at = readPlace(source);
    List<String> columns = new ArrayList<>();
    for (int left = readLength(source); left > 0; left--) {
      columns.add(source.readUTF());
    }
    return new Unsent(columns, insert, at);
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
