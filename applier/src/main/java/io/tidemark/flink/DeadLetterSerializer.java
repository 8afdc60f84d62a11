package io.tidemark.flink;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.debezium.RawRecord;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** The record and the reason. */
public final class DeadLetterSerializer extends ValueSerializer<DeadLetter> {
  private static final long serialVersionUID = 1L;

  private final RawRecordSerializer records = new RawRecordSerializer();

  @Override
  public void serialize(DeadLetter letter, DataOutputView target) throws IOException {
    records.serialize(letter.record(), target);
    target.writeUTF(letter.problem());
    byte[] ranks = letter.ranks() == null ? new byte[0] : letter.ranks().getBytes(UTF_8);
    target.writeInt(ranks.length);
    target.write(ranks);
  }

  @Override
  public DeadLetter deserialize(DataInputView source) throws IOException {
    RawRecord record = records.deserialize(source);
    String problem = source.readUTF();
    byte[] ranks = new byte[source.readInt()];
    source.readFully(ranks);
    return new DeadLetter(record, problem, ranks.length == 0 ? null : new String(ranks, UTF_8));
  }

  /** Written into checkpoints; a change of the bytes needs a new version of it. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<DeadLetter> {
    /** For Flink, which creates it by reflection. */
    public Snapshot() {
      super(DeadLetterSerializer::new);
    }
  }

  @Override
  public TypeSerializerSnapshot<DeadLetter> snapshotConfiguration() {
    return new Snapshot();
  }
}
