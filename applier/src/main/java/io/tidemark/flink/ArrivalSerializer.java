package io.tidemark.flink;

import io.tidemark.change.Change;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** The change, and the record where there is one. Only ever on the wire. */
public final class ArrivalSerializer extends ValueSerializer<Arrival> {
  private static final long serialVersionUID = 1L;

  private final ChangeSerializer changes = new ChangeSerializer();
  private final RawRecordSerializer records = new RawRecordSerializer();

  @Override
  public void serialize(Arrival arrival, DataOutputView target) throws IOException {
    changes.serialize(arrival.change(), target);
    target.writeBoolean(arrival.record() != null);
    if (arrival.record() != null) {
      records.serialize(arrival.record(), target);
    }
  }

  @Override
  public Arrival deserialize(DataInputView source) throws IOException {
    Change change = changes.deserialize(source);
    return new Arrival(change, source.readBoolean() ? records.deserialize(source) : null);
  }

  /** Written into checkpoints; a change of the bytes needs a new version of it. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<Arrival> {
    /** For Flink, which creates it by reflection. */
    public Snapshot() {
      super(ArrivalSerializer::new);
    }
  }

  @Override
  public TypeSerializerSnapshot<Arrival> snapshotConfiguration() {
    return new Snapshot();
  }
}
