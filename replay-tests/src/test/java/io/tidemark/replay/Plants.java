package io.tidemark.replay;

import io.tidemark.change.Change;
import io.tidemark.change.CommitVersion;
import io.tidemark.change.Mark;
import io.tidemark.change.PartitionProgress;
import io.tidemark.change.Position;
import io.tidemark.change.PrimaryKey;
import io.tidemark.change.SourcePosition;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.Batch;
import io.tidemark.commit.BatchKey;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.Progress;
import io.tidemark.commit.TableLedger;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.debezium.DecodeResult;
import io.tidemark.fault.ChangedWriters;
import io.tidemark.fault.ForwardingLedger;
import io.tidemark.fault.Parts;
import io.tidemark.flink.CommitOperator;
import io.tidemark.flink.Decoder;
import io.tidemark.flink.Forgetting;
import io.tidemark.merge.BatchWriter;
import io.tidemark.merge.Seed;
import io.tidemark.merge.Winner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Bugs, each planted through one of the ports that the job is put together from. */
final class Plants {

  private Plants() {}

  /** What peers do: the position in the source's log decides, for rows of a snapshot too. */
  static final Parts LSN_ALONE =
      new Parts() {
        @Override
        public Decoder.Factory decoders(Decoder.Factory real) {
          return () -> {
            Decoder decoder = real.open();
            return record -> {
              DecodeResult result = decoder.decode(record);
              return result instanceof DecodeResult.Decoded d
                  ? new DecodeResult.Decoded(
                      d.key(),
                      d.kind(),
                      new SourcePosition.Stream(new Position(d.source().position().p2(), 0, 0)),
                      d.sourceTimeMicros(),
                      d.row())
                  : result;
            };
          };
        }
      };

  /** A change at the position that stands is taken for a repetition, whatever it says. */
  static final Parts STRICTLY_GREATER =
      new Parts() {
        @Override
        public Predicate<Change> passing() {
          Map<PrimaryKey, CommitVersion> highest = new HashMap<>();
          return change -> {
            CommitVersion before = highest.get(change.key());
            if (before != null && before.comparePosition(change.version()) >= 0) {
              return false;
            }
            highest.put(change.key(), change.version());
            return true;
          };
        }
      };

  /** A delete leaves nothing in the table of tombstones. */
  static final Parts FORGOTTEN_TOMBSTONE =
      new Parts() {
        @Override
        public BatchWriter.Factory writers(BatchWriter.Factory real) {
          return new ChangedWriters(
              real,
              (writer, batch) -> {
                WrittenFiles files = writer.write(batch);
                return new WrittenFiles(files.data(), files.deletes(), List.of(), files.stats());
              });
        }
      };

  /** The row of a known key is not deleted before its next version is written. */
  static final Parts ELIDED_DELETE =
      new Parts() {
        @Override
        public BatchWriter.Factory writers(BatchWriter.Factory real) {
          return new ChangedWriters(
              real,
              (writer, batch) ->
                  writer.write(
                      new ArrayList<>(
                          batch.stream()
                              .map(winner -> new Winner(winner.change(), null))
                              .toList())));
        }
      };

  /** All batches of a commit become one. */
  static final Parts MERGED_BATCHES =
      new Parts() {
        @Override
        public CommitOperator.LedgerFactory ledgers(CommitOperator.LedgerFactory real) {
          return committing(real, Plants::merged);
        }
      };

  /**
   * What an aborted checkpoint left is committed by itself, as if it were a checkpoint of its own.
   */
  static final Parts ABORTED_WITH_RECORD =
      new Parts() {
        @Override
        public CommitOperator.LedgerFactory ledgers(CommitOperator.LedgerFactory real) {
          return committing(real, Plants::firstCheckpointAlone);
        }
      };

  /** A commit whose checkpoint is not above the last one's is taken for landed. */
  static final Parts CHECKPOINT_AS_IDENTITY =
      new Parts() {
        @Override
        public CommitOperator.LedgerFactory ledgers(CommitOperator.LedgerFactory real) {
          return committing(real, Plants::onlyHigherCheckpoints);
        }
      };

  /** Reading goes on where the consumer group stands. */
  static final Parts GROUP_OFFSETS =
      new Parts() {
        @Override
        public Map<Integer, Long> start(Map<Integer, Long> right, Map<Integer, Long> read) {
          Map<Integer, Long> start = new HashMap<>(right);
          start.putAll(read);
          return start;
        }
      };

  /** The horizon follows the fastest partition. */
  static Parts fastest() {
    return new Parts() {
      private long newest = Long.MIN_VALUE;

      @Override
      public Progress reported(Progress real) {
        for (PartitionProgress known : real.partitions().values()) {
          newest = Math.max(newest, known.highWaterTimeMicros());
        }
        return reached(real, newest);
      }
    };
  }

  /** The horizon follows a clock, which here is years ahead of the log. */
  static final Parts HORIZON_OF_A_CLOCK =
      new Parts() {
        @Override
        public Progress reported(Progress real) {
          return reached(real, 1_900_000_000_000_000L);
        }
      };

  /** Marks of live keys are forgotten, too. */
  static final Parts LIVE_KEYS_FORGOTTEN =
      new Parts() {
        @Override
        public @Nullable Seed seed(@Nullable Seed real) {
          return real == null ? null : new DeadOnly(real);
        }
      };

  /** Unknown keys are new keys in all times. */
  static final Parts OLD_CHANGES_APPLIED =
      new Parts() {
        @Override
        public Forgetting forgetting(Forgetting real) {
          return Forgetting.NOTHING;
        }
      };

  private record DeadOnly(Seed real) implements Seed {
    @Override
    public void read(BiConsumer<PrimaryKey, Mark> marks) throws IOException, InterruptedException {
      real.read(
          (key, mark) -> {
            if (!mark.live() || key.hashCode() % 3 != 0) {
              marks.accept(key, mark);
            }
          });
    }
  }

  private static Progress reached(Progress real, long micros) {
    Map<TopicPartition, PartitionProgress> partitions = new HashMap<>();
    real.partitions()
        .forEach(
            (tp, p) ->
                partitions.put(
                    tp,
                    new PartitionProgress(
                        p.nextOffset(), p.origin(), p.highWater(), micros, p.generations())));
    return new Progress(partitions);
  }

  private static @Nullable CommitRecord merged(
      TableLedger ledger, List<Batch> batches, CommitRecord record) {
    WrittenFiles all =
        batches.stream().map(Batch::files).reduce(WrittenFiles.NONE, WrittenFiles::plus);
    return ledger.commit(List.of(new Batch(new BatchKey(record.checkpoint(), 0), all)), record);
  }

  private static @Nullable CommitRecord firstCheckpointAlone(
      TableLedger ledger, List<Batch> batches, CommitRecord record) {
    long first = batches.isEmpty() ? 0 : batches.get(0).key().checkpoint();
    List<Batch> aborted = batches.stream().filter(b -> b.key().checkpoint() == first).toList();
    if (aborted.size() == batches.size()) {
      return ledger.commit(batches, record);
    }
    CommitRecord own =
        ForwardingLedger.named(record, record.commitId() + "-aborted", record.parent());
    CommitRecord landed = ledger.commit(aborted, own);
    List<Batch> rest = batches.subList(aborted.size(), batches.size());
    return landed == null || !landed.commitId().equals(own.commitId())
        ? landed
        : ledger.commit(rest, ForwardingLedger.named(record, record.commitId(), own.commitId()));
  }

  private static @Nullable CommitRecord onlyHigherCheckpoints(
      TableLedger ledger, List<Batch> batches, CommitRecord record) {
    CommitRecord last = ledger.last();
    return last != null && record.checkpoint() <= last.checkpoint()
        ? ledger.commit(List.of(), record)
        : ledger.commit(batches, record);
  }

  private interface Committing {
    @Nullable CommitRecord commit(TableLedger ledger, List<Batch> batches, CommitRecord record);
  }

  private static CommitOperator.LedgerFactory committing(
      CommitOperator.LedgerFactory factory, Committing how) {
    return () ->
        new ForwardingLedger(factory.open()) {
          @Override
          public @Nullable CommitRecord commit(List<Batch> batches, CommitRecord record) {
            return how.commit(real, batches, record);
          }
        };
  }
}
