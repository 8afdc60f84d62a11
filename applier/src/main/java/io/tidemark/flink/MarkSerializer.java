package io.tidemark.flink;

import io.tidemark.change.CommitVersion;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.Told;
import io.tidemark.failure.RefusedException;
import java.io.IOException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * A mark in state: a byte of format and kind, the version, for a live key its content hash and
 * partition values, and where older changes told some columns, by column which; for a deleted one
 * the time of its delete. A mark is kept per key of the table, so every byte here counts.
 */
public final class MarkSerializer extends ValueSerializer<Mark> {
  private static final long serialVersionUID = 1L;
  private static final int LIVE = 1;
  private static final int DELETED_SOME_TIME = 2;
  private static final int LIVE_WITH_KEPT = 3;
  private static final int DELETED = 4;

  @Override
  public void serialize(Mark mark, DataOutputView target) throws IOException {
    boolean kept = !mark.kept().isEmpty();
    target.writeByte(kept ? LIVE_WITH_KEPT : mark.live() ? LIVE : DELETED);
    VersionBytes.write(mark.version(), target);
    if (mark.live()) {
      target.writeLong(mark.contentHash());
      writeBytes(mark.partitionValues(), target);
    } else {
      target.writeLong(mark.deletedAtMicros());
    }
    if (kept) {
      writeLength(mark.kept().size(), target);
      for (Map.Entry<String, Told> column : mark.kept().entrySet()) {
        target.writeUTF(column.getKey());
        target.writeBoolean(column.getValue().known());
        VersionBytes.write(column.getValue().version(), target);
      }
    }
  }

  @Override
  public Mark deserialize(DataInputView source) throws IOException {
    int format = source.readByte();
    if (format < LIVE || format > DELETED) {
      throw new SuppressRestartsException(
          RefusedException.newerState("A mark in state", format, DELETED));
    }
    CommitVersion version = VersionBytes.read(source);
    return switch (format) {
      case DELETED -> Mark.deleted(version, source.readLong());
      case DELETED_SOME_TIME -> Mark.deleted(version, Mark.NEVER);
      default -> {
        long contentHash = source.readLong();
        byte[] partitionValues = readBytes(source);
        yield format == LIVE
            ? new Mark(version, Kind.UPSERT, contentHash, partitionValues)
            : new Mark(version, Kind.UPSERT, contentHash, partitionValues, readKept(source));
      }
    };
  }

  private static SortedMap<String, Told> readKept(DataInputView source) throws IOException {
    SortedMap<String, Told> kept = new TreeMap<>();
    for (int left = readLength(source); left > 0; left--) {
      String column = source.readUTF();
      boolean known = source.readBoolean();
      kept.put(column, new Told(VersionBytes.read(source), known));
    }
    return kept;
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
