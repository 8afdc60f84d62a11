package io.tidemark.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.Change;
import io.tidemark.change.CommitVersion;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.PartitionProgress;
import io.tidemark.change.Position;
import io.tidemark.change.PrimaryKey;
import io.tidemark.change.RemovedRow;
import io.tidemark.change.SourceOffset;
import io.tidemark.change.Told;
import io.tidemark.change.TopicPartition;
import io.tidemark.change.Unsent;
import io.tidemark.commit.BatchKey;
import io.tidemark.commit.BatchStats;
import io.tidemark.commit.LiveRows;
import io.tidemark.commit.Progress;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.debezium.RawRecord;
import io.tidemark.failure.RefusedException;
import io.tidemark.merge.StoredRow;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.junit.jupiter.api.Test;

class SerializersTest {
  private static final CommitVersion VERSION =
      new CommitVersion(1, new Position(2, -3, 4), CommitVersion.SNAPSHOT, 5);

  @Test
  void changesSurvive() throws IOException {
    Change put =
        new Change(PrimaryKey.of(new byte[] {0, 1}), Kind.UPSERT, VERSION, -7, new byte[300]);
    Change delete =
        new Change(PrimaryKey.of(new byte[200]), Kind.DELETE, VERSION, 7, new byte[] {9});

    assertThat(through(Types.ARRIVAL, new Arrival(put, null)).change()).isEqualTo(put);
    assertThat(through(Types.ARRIVAL, new Arrival(delete, null)).change()).isEqualTo(delete);
  }

  @Test
  void keysSurvive() throws IOException {
    PrimaryKey key = PrimaryKey.of(new byte[70_000]);

    assertThat(through(Types.PRIMARY_KEY, key)).isEqualTo(key);
  }

  @Test
  void marksSurvive() throws IOException {
    Mark live = new Mark(VERSION, Kind.UPSERT, 77, new byte[] {1, 2, 3});

    assertThat(through(Types.MARK, live)).isEqualTo(live);
    assertThat(through(Types.MARK, Mark.deleted(VERSION, -5))).isEqualTo(Mark.deleted(VERSION, -5));
  }

  /** State of earlier builds must stay readable: these bytes never change. */
  @Test
  void marksKeepTheirFormat() throws IOException {
    byte[] golden =
        HexFormat.of()
            .parseHex(
                "01"
                    + "00000001"
                    + "0000000000000002"
                    + "fffffffffffffffd"
                    + "0000000000000004"
                    + "01"
                    + "0000000000000005"
                    + "000000000000004d"
                    + "03010203");

    assertThat(bytes(Types.MARK, new Mark(VERSION, Kind.UPSERT, 77, new byte[] {1, 2, 3})))
        .isEqualTo(golden);
    String version =
        "00000001"
            + "0000000000000002"
            + "fffffffffffffffd"
            + "0000000000000004"
            + "01"
            + "0000000000000005";
    assertThat(bytes(Types.MARK, Mark.deleted(VERSION, 77)))
        .isEqualTo(HexFormat.of().parseHex("04" + version + "000000000000004d"));
    assertThat(
            serializer(Types.MARK)
                .deserialize(new DataInputDeserializer(HexFormat.of().parseHex("02" + version))))
        .as("of a build that kept no times")
        .isEqualTo(Mark.deleted(VERSION, Mark.NEVER));
    Mark kept =
        new Mark(
            VERSION,
            Kind.UPSERT,
            77,
            new byte[] {1, 2, 3},
            new TreeMap<>(Map.of("a", new Told(VERSION, true))));
    assertThat(bytes(Types.MARK, kept))
        .isEqualTo(
            HexFormat.of()
                .parseHex(
                    "03"
                        + version
                        + "000000000000004d"
                        + "03010203"
                        + "01000161"
                        + "01"
                        + version));
  }

  @Test
  void whatASourceLeftOutIsKept() throws IOException {
    Change update =
        new Change(
            PrimaryKey.of(new byte[] {1}),
            Kind.UPSERT,
            VERSION,
            3,
            new byte[] {4},
            new Unsent(List.of("b", "a"), false, new SourceOffset("t", 2, 9)));
    Change insert =
        new Change(
            update.key(),
            Kind.UPSERT,
            VERSION,
            3,
            new byte[] {4},
            new Unsent(List.of("a"), true, new SourceOffset("t", 2, 9)));
    Mark kept =
        new Mark(
            VERSION,
            Kind.UPSERT,
            77,
            new byte[] {1},
            new TreeMap<>(Map.of("a", new Told(VERSION, true), "b", Told.NEVER)));

    Change delete =
        new Change(
            update.key(),
            Kind.DELETE,
            VERSION,
            3,
            new byte[] {4},
            null,
            new RemovedRow(5, new SourceOffset("t", 2, 9)));

    assertThat(through(Types.ARRIVAL, new Arrival(delete, null)).change()).isEqualTo(delete);
    assertThat(through(Types.ARRIVAL, new Arrival(update, null)).change()).isEqualTo(update);
    assertThat(through(Types.ARRIVAL, new Arrival(insert, null)).change()).isEqualTo(insert);
    assertThat(through(Types.MARK, kept)).isEqualTo(kept);
    StoredRow row = through(Types.STORED_ROW, new StoredRow(VERSION, 5, 6, new byte[] {7, 8}));
    assertThat(row.version()).isEqualTo(VERSION);
    assertThat(row.contentHash()).isEqualTo(5);
    assertThat(row.sourceTimeMicros()).isEqualTo(6);
    assertThat(row.row()).containsExactly(7, 8);
  }

  @Test
  void marksOfAnotherFormatAreRefused() {
    assertThatThrownBy(
            () -> serializer(Types.MARK).deserialize(new DataInputDeserializer(new byte[] {5})))
        .isInstanceOf(SuppressRestartsException.class)
        .cause()
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith("A mark in state has format 5, this build reads up to 4. ");
  }

  @Test
  void whatTheCommitterIsToldSurvives() throws IOException {
    CommitInput closed =
        new CommitInput.BatchClosed(
            new BatchKey(3, 1),
            new WrittenFiles(
                List.of("x".repeat(100_000)),
                List.of("d"),
                List.of(),
                new BatchStats(1, 2, 3, null, Long.MIN_VALUE, new LiveRows(-1, 9))));
    CommitInput read =
        new CommitInput.Read(
            new Progress(
                Map.of(
                    new TopicPartition("a-b", 3),
                    new PartitionProgress(
                        9,
                        2,
                        new Position(1, 2, 3),
                        4,
                        Map.of(Position.ZERO, new Position(5, 6, 7))))));

    assertThat(through(Types.COMMIT_INPUT, closed)).isEqualTo(closed);
    assertThat(through(Types.COMMIT_INPUT, read)).isEqualTo(read);
  }

  @Test
  void deadLettersSurvive() throws IOException {
    RawRecord record =
        new RawRecord(
            new SourceOffset("orders", 1, 2), 3, null, new byte[] {4}, Map.of("h", new byte[] {5}));

    DeadLetter letter = through(Types.DEAD_LETTER, new DeadLetter(record, "why", "ranks"));

    assertThat(letter.problem()).isEqualTo("why");
    assertThat(letter.record()).usingRecursiveComparison().isEqualTo(record);
  }

  @Test
  void arrivalsSurviveWithAndWithoutTheirRecord() throws IOException {
    Change change = new Change(PrimaryKey.of(new byte[] {1}), Kind.UPSERT, VERSION, 5, new byte[2]);
    RawRecord record = new RawRecord(new SourceOffset("orders", 1, 2), 3, null, null, Map.of());

    assertThat(through(Types.ARRIVAL, new Arrival(change, null)))
        .isEqualTo(new Arrival(change, null));
    assertThat(through(Types.ARRIVAL, new Arrival(change, record)))
        .usingRecursiveComparison()
        .isEqualTo(new Arrival(change, record));
  }

  private static <T> T through(TypeInformation<T> type, T value) throws IOException {
    DataInputDeserializer in = new DataInputDeserializer(bytes(type, value));
    T read = serializer(type).deserialize(in);
    assertThat(in.available()).isZero();
    return read;
  }

  private static <T> byte[] bytes(TypeInformation<T> type, T value) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(64);
    serializer(type).serialize(value, out);
    return out.getCopyOfBuffer();
  }

  private static <T> TypeSerializer<T> serializer(TypeInformation<T> type) {
    return type.createSerializer(new SerializerConfigImpl());
  }
}
