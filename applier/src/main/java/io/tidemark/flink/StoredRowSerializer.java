package io.tidemark.flink;

import io.tidemark.failure.RefusedException;
import io.tidemark.merge.StoredRow;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/** A row in state: a byte of format, version, content hash, source time, row. */
public final class StoredRowSerializer extends ValueSerializer<StoredRow> {
  private static final long serialVersionUID = 1L;
  private static final int FORMAT = 1;

  @Override
  public void serialize(StoredRow row, DataOutputView target) throws IOException {
    target.writeByte(FORMAT);
    VersionBytes.write(row.version(), target);
    target.writeLong(row.contentHash());
    target.writeLong(row.sourceTimeMicros());
    writeBytes(row.row(), target);
  }

  @Override
  public StoredRow deserialize(DataInputView source) throws IOException {
    int format = source.readByte();
    if (format != FORMAT) {
      throw new SuppressRestartsException(
          RefusedException.newerState("A row in state", format, FORMAT));
    }
    return new StoredRow(
        VersionBytes.read(source), source.readLong(), source.readLong(), readBytes(source));
  }

  /** Written into checkpoints; a change of the bytes needs a new version of it. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<StoredRow> {
    /** For Flink, which creates it by reflection. */
    public Snapshot() {
      super(StoredRowSerializer::new);
    }
  }

  @Override
  public TypeSerializerSnapshot<StoredRow> snapshotConfiguration() {
    return new Snapshot();
  }
}
