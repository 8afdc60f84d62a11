package io.tidemark.job;

import io.tidemark.change.Change;
import io.tidemark.change.CommitVersion;
import io.tidemark.change.PartitionLedger;
import io.tidemark.change.PartitionProgress;
import io.tidemark.change.PrimaryKey;
import io.tidemark.change.RankRefused;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.BatchStats;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.Progress;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.config.Settings;
import io.tidemark.config.TableRoute;
import io.tidemark.debezium.DecodeResult;
import io.tidemark.debezium.RawRecord;
import io.tidemark.failure.BadEventException;
import io.tidemark.failure.RefusedException;
import io.tidemark.flink.Decoder;
import io.tidemark.flink.RawRecordDeserializer;
import io.tidemark.iceberg.Acceptance;
import io.tidemark.iceberg.RowRemoval;
import io.tidemark.merge.BatchWriter;
import io.tidemark.merge.Gate;
import io.tidemark.merge.MarkStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Puts some keys of a table right in one commit: whatever rows they have go, and the changes that
 * stand at them go the way that all changes go, through decoder, gate, writer and ledger.
 *
 * <p>What is known of these keys cannot be trusted, so the gate has no marks of them, and no delete
 * is left out. The record stays at the offsets where it was: the table is to become what that
 * record says. Until the commit nothing but files that nobody knows is written, so it may be killed
 * anywhere. Not thread-safe.
 */
public final class TableRepair implements AutoCloseable {
  private final Settings settings;
  private final TableRoute route;
  private final RepairPlan plan;
  private final Acceptance compared;
  private final Decoder decoder;
  private final BatchWriter writer;
  private final Gate gate;
  private final Map<TopicPartition, PartitionLedger> ledgers = new HashMap<>();
  private final Set<PrimaryKey> keys = new HashSet<>();
  private final List<WrittenFiles> batches = new ArrayList<>();

  /**
   * What was done.
   *
   * @param commitId of the commit
   * @param removed rows that went, those among them that came again
   * @param reapplied changes that were applied again
   */
  public record Repaired(String commitId, long removed, long reapplied) {}

  private TableRepair(
      Settings settings,
      TableRoute route,
      RepairPlan plan,
      Acceptance compared,
      BatchWriter writer) {
    this.settings = settings;
    this.route = route;
    this.plan = plan;
    this.compared = compared;
    this.writer = writer;
    this.decoder = plan.decoders().open();
    this.gate =
        new Gate(new NoMarks(), plan.writers().placement(), settings.gate().memoryBytes(), null);
  }

  /**
   * A repair of what was compared with the log.
   *
   * @param commitId of the record that holds for what was compared
   * @throws RefusedException if the table has another record by now
   */
  public static TableRepair open(
      Settings settings, TableRoute route, String commitId, Acceptance compared) {
    RepairPlan plan = Planner.planRepair(settings, route, true);
    if (!plan.record().commitId().equals(commitId)) {
      throw moved(route.table());
    }
    return new TableRepair(settings, route, plan, compared, plan.writers().open(0, 0));
  }

  /**
   * Takes the record that stands at its key.
   *
   * @param record in the order of its partition; one for each key
   * @return false if the source left columns of it out (TOAST): its key is left as it is, because
   *     the gate would need every change that told one of them, and gets the one that stands
   * @throws BadEventException if it cannot be decoded
   */
  public boolean reapply(ConsumerRecord<byte[], byte[]> record) throws IOException {
    RawRecord raw = RawRecordDeserializer.rawRecord(record);
    DecodeResult result = decoder.decode(raw);
    if (!(result instanceof DecodeResult.Decoded decoded)) {
      throw new BadEventException(
          raw.at(),
          result instanceof DecodeResult.Malformed bad
              ? bad.problem()
              : "no change of a row, and the comparison found one");
    }
    if (decoded.unsent() != null) {
      return false;
    }
    keys.add(decoded.key());
    gate.offer(
        new Change(
            decoded.key(),
            decoded.kind(),
            version(decoded, raw),
            decoded.sourceTimeMicros(),
            decoded.row()));
    if (gate.isFull()) {
      batches.add(writer.write(gate.flush()));
    }
    return true;
  }

  /** Takes a key that the log does not have: its rows go, and no tombstone says so. */
  public void remove(PrimaryKey key) {
    keys.add(key);
  }

  /**
   * Commits.
   *
   * @throws RefusedException if the table was committed to since it was compared
   */
  public Repaired commit() throws IOException, InterruptedException {
    if (!gate.isEmpty()) {
      batches.add(writer.write(gate.flush()));
    }
    RowRemoval.Removed removed =
        RowRemoval.write(settings.catalog(), route.table(), compared.snapshot(), keys);
    // Deletes reach rows of earlier snapshots only, so they can stand beside the first new rows.
    WrittenFiles first = batches.isEmpty() ? WrittenFiles.NONE : batches.remove(0);
    batches.add(0, removed.files().plus(first));
    CommitRecord made =
        new OfflineCommit(settings, route.table(), plan, compared, "verify --repair")
            .make(batches, plan.record().progress());
    if (made == null) {
      throw moved(route.table());
    }
    BatchStats stats = made.stats();
    return new Repaired(made.commitId(), removed.rows(), stats.upserts() + stats.deletes());
  }

  /** The record's progress gives every record below it the version that it had when it was new. */
  private CommitVersion version(DecodeResult.Decoded decoded, RawRecord raw) {
    TopicPartition partition = new TopicPartition(raw.at().topic(), raw.at().partition());
    PartitionLedger ledger =
        ledgers.computeIfAbsent(partition, tp -> new PartitionLedger(known(tp)));
    try {
      return ledger.rank(decoded.source(), decoded.sourceTimeMicros(), raw.at().offset());
    } catch (RankRefused e) {
      throw new BadEventException(raw.at(), String.valueOf(e.getMessage()));
    }
  }

  private PartitionProgress known(TopicPartition partition) {
    Progress progress = plan.record().progress();
    PartitionProgress known = progress.partitions().get(partition);
    if (known == null) {
      throw new IllegalStateException("The table's record does not know " + partition);
    }
    return known;
  }

  private static RefusedException moved(String table) {
    return new RefusedException(
        "Table "
            + table
            + " was committed to since it was compared with its log: stop its job and run this again."
            + " Nothing was changed");
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }

  /** Of the keys to repair nothing is known. */
  private static final class NoMarks implements MarkStore {
    @Override
    public io.tidemark.change.@Nullable Mark get(PrimaryKey key) {
      return null;
    }

    @Override
    public void put(PrimaryKey key, io.tidemark.change.Mark mark) {}
  }
}
