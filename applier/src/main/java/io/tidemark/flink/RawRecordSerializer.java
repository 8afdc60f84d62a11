package io.tidemark.flink;

import io.tidemark.change.SourceOffset;
import io.tidemark.debezium.RawRecord;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/** Used only where a record must leave its task: as a dead letter, or if it may become one. */
public final class RawRecordSerializer extends ValueSerializer<RawRecord> {
  private static final long serialVersionUID = 1L;

  @Override
  public void serialize(RawRecord record, DataOutputView target) throws IOException {
    target.writeUTF(record.at().topic());
    target.writeInt(record.at().partition());
    target.writeLong(record.at().offset());
    target.writeLong(record.timestampMillis());
    writeNullable(record.key(), target);
    writeNullable(record.value(), target);
    target.writeInt(record.headers().size());
    for (Map.Entry<String, byte[]> header : record.headers().entrySet()) {
      target.writeUTF(header.getKey());
      writeNullable(header.getValue(), target);
    }
  }

  @Override
  @SuppressWarnings("NullAway") // a header's value may be null
  public RawRecord deserialize(DataInputView source) throws IOException {
    SourceOffset at = new SourceOffset(source.readUTF(), source.readInt(), source.readLong());
    long timestampMillis = source.readLong();
    byte[] key = readNullable(source);
    byte[] value = readNullable(source);
    Map<String, byte[]> headers = new LinkedHashMap<>();
    int count = source.readInt();
    for (int i = 0; i < count; i++) {
      headers.put(source.readUTF(), readNullable(source));
    }
    return new RawRecord(at, timestampMillis, key, value, headers);
  }

  private static void writeNullable(byte @Nullable [] bytes, DataOutputView target)
      throws IOException {
    target.writeBoolean(bytes != null);
    if (bytes != null) {
      writeBytes(bytes, target);
    }
  }

  private static byte @Nullable [] readNullable(DataInputView source) throws IOException {
    return source.readBoolean() ? readBytes(source) : null;
  }

  /** Written into checkpoints; a change of the bytes needs a new version of it. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<RawRecord> {
    /** For Flink, which creates it by reflection. */
    public Snapshot() {
      super(RawRecordSerializer::new);
    }
  }

  @Override
  public TypeSerializerSnapshot<RawRecord> snapshotConfiguration() {
    return new Snapshot();
  }
}
