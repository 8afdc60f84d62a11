package io.tidemark.commit;

import io.tidemark.change.Epoch;
import io.tidemark.change.PartitionProgress;
import io.tidemark.change.Position;
import io.tidemark.change.TopicPartition;
import io.tidemark.failure.RefusedException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The binary form of what is pending, for the wire and for checkpoints. */
public final class CommitCodec {
  private static final int VERSION = 3;
  private static final int WITHOUT_LIVE_ROWS = 2;
  private static final int WITHOUT_REPLAYS = 1;

  /**
   * Formats of progress. The first began with the number of its partitions, so later ones begin
   * with a negative number.
   */
  private static final int WITH_TOPIC_IDS = 2;

  private static final int WITH_GAPS = 3;
  private static final int WITH_EPOCHS = 4;
  private static final int WITH_LAST_RECORDS = 5;

  private CommitCodec() {}

  /** Writes a pending commit, format version first. */
  public static void writePending(PendingCommit pending, DataOutput out) throws IOException {
    out.writeByte(VERSION);
    out.writeLong(pending.checkpoint());
    out.writeUTF(pending.commitId());
    out.writeInt(pending.batches().size());
    for (Batch batch : pending.batches()) {
      out.writeLong(batch.key().checkpoint());
      out.writeInt(batch.key().index());
      writeFiles(batch.files(), out);
    }
    writeProgress(pending.progress(), out);
    out.writeBoolean(pending.replayed());
  }

  /**
   * Reads what {@link #writePending} wrote.
   *
   * @throws RefusedException if the format version is another one
   */
  public static PendingCommit readPending(DataInput in) throws IOException {
    int version = in.readByte();
    if (version < WITHOUT_REPLAYS || version > VERSION) {
      throw RefusedException.newerState("A pending commit in state", version, VERSION);
    }
    long checkpoint = in.readLong();
    String commitId = in.readUTF();
    List<Batch> batches = new ArrayList<>();
    int count = in.readInt();
    for (int i = 0; i < count; i++) {
      BatchKey key = new BatchKey(in.readLong(), in.readInt());
      batches.add(new Batch(key, readFiles(in, version > WITHOUT_LIVE_ROWS)));
    }
    return new PendingCommit(
        checkpoint,
        commitId,
        batches,
        readProgress(in),
        version > WITHOUT_REPLAYS && in.readBoolean());
  }

  /** Writes a replay that takes unknown keys for new ones. */
  static void writeReplay(AcceptedReplay replay, DataOutput out) throws IOException {
    writeOffsets(replay.from(), out);
    writeOffsets(replay.left(), out);
  }

  /** Reads what {@link #writeReplay} wrote. */
  static AcceptedReplay readReplay(DataInput in) throws IOException {
    return new AcceptedReplay(readOffsets(in), readOffsets(in));
  }

  /** The bytes of such a replay. */
  public static byte[] replayToBytes(AcceptedReplay replay) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    writeReplay(replay, new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  /** Reads what {@link #replayToBytes} wrote. */
  public static AcceptedReplay replayFromBytes(byte[] bytes) throws IOException {
    return readReplay(new DataInputStream(new ByteArrayInputStream(bytes)));
  }

  private static void writeOffsets(Map<TopicPartition, Long> offsets, DataOutput out)
      throws IOException {
    out.writeInt(offsets.size());
    for (Map.Entry<TopicPartition, Long> entry : new TreeMap<>(offsets).entrySet()) {
      out.writeUTF(entry.getKey().topic());
      out.writeInt(entry.getKey().partition());
      out.writeLong(entry.getValue());
    }
  }

  private static Map<TopicPartition, Long> readOffsets(DataInput in) throws IOException {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      offsets.put(new TopicPartition(in.readUTF(), in.readInt()), in.readLong());
    }
    return offsets;
  }

  /** Writes the files of a batch. */
  public static void writeFiles(WrittenFiles files, DataOutput out) throws IOException {
    writeTexts(files.data(), out);
    writeTexts(files.deletes(), out);
    writeTexts(files.tombstones(), out);
    BatchStats stats = files.stats();
    out.writeLong(stats.upserts());
    out.writeLong(stats.deletes());
    out.writeLong(stats.equalityDeletes());
    writeNullable(stats.maxVersion(), out);
    out.writeLong(stats.maxSourceTimeMicros());
    writeLiveRows(stats.live(), out);
  }

  /** Reads what {@link #writeFiles} wrote. */
  public static WrittenFiles readFiles(DataInput in) throws IOException {
    return readFiles(in, true);
  }

  private static WrittenFiles readFiles(DataInput in, boolean withLiveRows) throws IOException {
    return new WrittenFiles(
        readTexts(in),
        readTexts(in),
        readTexts(in),
        new BatchStats(
            in.readLong(),
            in.readLong(),
            in.readLong(),
            readNullable(in),
            in.readLong(),
            withLiveRows ? readLiveRows(in) : null));
  }

  /** Writes live rows; null where they are not known. */
  public static void writeLiveRows(@Nullable LiveRows rows, DataOutput out) throws IOException {
    out.writeBoolean(rows != null);
    if (rows != null) {
      out.writeLong(rows.count());
      out.writeLong(rows.digest());
    }
  }

  /** Reads what {@link #writeLiveRows} wrote. */
  public static @Nullable LiveRows readLiveRows(DataInput in) throws IOException {
    return in.readBoolean() ? new LiveRows(in.readLong(), in.readLong()) : null;
  }

  /** Writes how far the source was read. */
  public static void writeProgress(Progress progress, DataOutput out) throws IOException {
    out.writeInt(-WITH_LAST_RECORDS);
    out.writeInt(progress.partitions().size());
    for (Map.Entry<TopicPartition, PartitionProgress> entry :
        new TreeMap<>(progress.partitions()).entrySet()) {
      out.writeUTF(entry.getKey().topic());
      out.writeInt(entry.getKey().partition());
      writePartition(entry.getValue(), out);
    }
    out.writeInt(progress.topicIds().size());
    for (Map.Entry<String, String> id : new TreeMap<>(progress.topicIds()).entrySet()) {
      out.writeUTF(id.getKey());
      out.writeUTF(id.getValue());
    }
    out.writeInt(progress.gaps().size());
    for (Gap gap : new TreeSet<>(progress.gaps())) {
      out.writeUTF(gap.partition().topic());
      out.writeInt(gap.partition().partition());
      out.writeLong(gap.from());
      out.writeLong(gap.to());
    }
    out.writeInt(progress.lastRecords().size());
    for (Map.Entry<TopicPartition, LastRecord> last :
        new TreeMap<>(progress.lastRecords()).entrySet()) {
      out.writeUTF(last.getKey().topic());
      out.writeInt(last.getKey().partition());
      out.writeLong(last.getValue().offset());
      out.writeLong(last.getValue().timestampMillis());
      out.writeLong(last.getValue().hash());
    }
  }

  /**
   * Reads what {@link #writeProgress} wrote, in this version or an earlier one.
   *
   * @throws RefusedException if the format version is a later one
   */
  public static Progress readProgress(DataInput in) throws IOException {
    int first = in.readInt();
    int format = first < 0 ? -first : 1;
    if (format > WITH_LAST_RECORDS) {
      throw RefusedException.newerState("Progress in state", format, WITH_LAST_RECORDS);
    }
    Map<TopicPartition, PartitionProgress> partitions = new HashMap<>();
    int count = format == 1 ? first : in.readInt();
    for (int i = 0; i < count; i++) {
      TopicPartition partition = new TopicPartition(in.readUTF(), in.readInt());
      partitions.put(partition, format < WITH_EPOCHS ? readOneEpoch(in) : readPartition(in));
    }
    Map<String, String> topicIds = new HashMap<>();
    for (int ids = format < WITH_TOPIC_IDS ? 0 : in.readInt(); ids > 0; ids--) {
      topicIds.put(in.readUTF(), in.readUTF());
    }
    Set<Gap> gaps = new HashSet<>();
    for (int left = format < WITH_GAPS ? 0 : in.readInt(); left > 0; left--) {
      TopicPartition partition = new TopicPartition(in.readUTF(), in.readInt());
      gaps.add(new Gap(partition, in.readLong(), in.readLong()));
    }
    Map<TopicPartition, LastRecord> last = new HashMap<>();
    for (int left = format < WITH_LAST_RECORDS ? 0 : in.readInt(); left > 0; left--) {
      TopicPartition partition = new TopicPartition(in.readUTF(), in.readInt());
      last.put(partition, new LastRecord(in.readLong(), in.readLong(), in.readLong()));
    }
    return new Progress(partitions, topicIds, gaps, last);
  }

  /** The bytes of {@link #writeProgress}. */
  public static byte[] progressToBytes(Progress progress) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      writeProgress(progress, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    return bytes.toByteArray();
  }

  /**
   * Reads what {@link #progressToBytes} wrote.
   *
   * @throws IOException if the bytes end too early
   */
  public static Progress progressFromBytes(byte[] bytes) throws IOException {
    return readProgress(new DataInputStream(new ByteArrayInputStream(bytes)));
  }

  private static void writePartition(PartitionProgress partition, DataOutput out)
      throws IOException {
    out.writeLong(partition.nextOffset());
    out.writeLong(partition.origin());
    out.writeInt(partition.epochs().size());
    for (Epoch epoch : partition.epochs()) {
      out.writeInt(epoch.number());
      out.writeLong(epoch.start());
      writePosition(epoch.highWater(), out);
      out.writeLong(epoch.highWaterTimeMicros());
      out.writeInt(epoch.generations().size());
      for (Map.Entry<Position, Position> generation :
          new TreeMap<>(epoch.generations()).entrySet()) {
        writePosition(generation.getKey(), out);
        writePosition(generation.getValue(), out);
      }
    }
  }

  private static PartitionProgress readPartition(DataInput in) throws IOException {
    long nextOffset = in.readLong();
    long origin = in.readLong();
    List<Epoch> epochs = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      epochs.add(readEpoch(in.readInt(), in.readLong(), in));
    }
    return new PartitionProgress(nextOffset, origin, epochs);
  }

  private static PartitionProgress readOneEpoch(DataInput in) throws IOException {
    long nextOffset = in.readLong();
    long origin = in.readLong();
    return new PartitionProgress(nextOffset, origin, List.of(readEpoch(0, 0, in)));
  }

  private static Epoch readEpoch(int number, long start, DataInput in) throws IOException {
    Position highWater = readPosition(in);
    long highWaterTimeMicros = in.readLong();
    Map<Position, Position> generations = new HashMap<>();
    int count = in.readInt();
    for (int i = 0; i < count; i++) {
      Position name = readPosition(in);
      generations.put(name, readPosition(in));
    }
    return new Epoch(number, start, highWater, highWaterTimeMicros, generations);
  }

  private static void writePosition(Position position, DataOutput out) throws IOException {
    out.writeLong(position.p1());
    out.writeLong(position.p2());
    out.writeLong(position.p3());
  }

  private static Position readPosition(DataInput in) throws IOException {
    return new Position(in.readLong(), in.readLong(), in.readLong());
  }

  private static void writeTexts(List<String> texts, DataOutput out) throws IOException {
    out.writeInt(texts.size());
    for (String text : texts) {
      writeText(text, out);
    }
  }

  private static List<String> readTexts(DataInput in) throws IOException {
    int count = in.readInt();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      texts.add(readText(in));
    }
    return texts;
  }

  private static void writeNullable(@Nullable String text, DataOutput out) throws IOException {
    out.writeBoolean(text != null);
    if (text != null) {
      writeText(text, out);
    }
  }

  private static @Nullable String readNullable(DataInput in) throws IOException {
    return in.readBoolean() ? readText(in) : null;
  }

  /** Not {@code writeUTF}: the description of a file of a wide table can pass its 64 kB. */
  private static void writeText(String text, DataOutput out) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static String readText(DataInput in) throws IOException {
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
