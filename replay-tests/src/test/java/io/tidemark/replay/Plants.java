package io.tidemark.replay;

import io.tidemark.change.Change;
import io.tidemark.change.CommitVersion;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import io.tidemark.commit.Batch;
import io.tidemark.commit.BatchKey;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.TableLedger;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.debezium.DecodeResult;
import io.tidemark.fault.ChangedWriters;
import io.tidemark.fault.ForwardingLedger;
import io.tidemark.fault.Parts;
import io.tidemark.flink.CommitOperator;
import io.tidemark.flink.Decoder;
import io.tidemark.merge.BatchWriter;
import io.tidemark.merge.Placement;
import io.tidemark.merge.Winner;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Bugs, each planted through one of the ports that the job is put together from. */
final class Plants {

  private Plants() {}

  /** What peers do: the row with the highest version stands as it came, and so do its gaps. */
  static final Parts ROW_LEVEL_FOLD =
      new Parts() {
        @Override
        public Decoder.Factory decoders(Decoder.Factory real) {
          return () -> {
            Decoder decoder = real.open();
            return record -> {
              DecodeResult result = decoder.decode(record);
              return result instanceof DecodeResult.Decoded d
                  ? new DecodeResult.Decoded(
                      d.key(), d.kind(), d.source(), d.sourceTimeMicros(), d.row())
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

  /** Whatever is written is written twice, and committed once. */
  static final Parts FILES_LEFT =
      new Parts() {
        @Override
        public BatchWriter.Factory writers(BatchWriter.Factory real) {
          return new ChangedWriters(
              real,
              (writer, batch) -> {
                writer.write(batch);
                return writer.write(batch);
              });
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

  /** Of two changes at one position the delete stands, whichever came later. */
  static final Parts DELETES_FIRST =
      new Parts() {
        @Override
        public Predicate<Change> passing() {
          Map<PrimaryKey, Change> highest = new HashMap<>();
          return change -> {
            Change before = highest.get(change.key());
            int order = before == null ? 1 : change.version().comparePosition(before.version());
            if (order == 0 && before != null && before.kind() == Kind.DELETE) {
              return change.kind() == Kind.DELETE;
            }
            if (order >= 0) {
              highest.put(change.key(), change);
            }
            return true;
          };
        }
      };

  /** The null that Kafka's compaction wants after a delete is a delete of its own. */
  static final Parts NULL_IS_A_DELETE =
      new Parts() {
        @Override
        public Decoder.Factory decoders(Decoder.Factory real) {
          return () -> {
            Decoder decoder = real.open();
            Map<ByteBuffer, DecodeResult.Decoded> newest = new HashMap<>();
            return record -> {
              DecodeResult result = decoder.decode(record);
              if (record.key() == null) {
                return result; // a truncate
              }
              ByteBuffer key = ByteBuffer.wrap(record.key());
              if (result instanceof DecodeResult.Decoded decoded) {
                newest.put(key, decoded);
              }
              DecodeResult.Decoded last = newest.get(key);
              return record.value() != null || last == null
                  ? result
                  : new DecodeResult.Decoded(
                      last.key(), Kind.DELETE, last.source(), last.sourceTimeMicros(), last.row());
            };
          };
        }
      };

  /** A row is deleted in the partition of its next version, not in the one where it lies. */
  static final Parts OLD_PARTITION_IGNORED =
      new Parts() {
        @Override
        public BatchWriter.Factory writers(BatchWriter.Factory real) {
          return new ChangedWriters(
              real,
              (writer, batch) -> {
                List<Winner> moved = new ArrayList<>();
                for (Winner winner : batch) {
                  boolean moves =
                      winner.replaced() != null && winner.change().kind() == Kind.UPSERT;
                  moved.add(moves ? moved(winner, real.placement()) : winner);
                }
                return writer.write(moved);
              });
        }
      };

  /** A commit lands on whatever is there: no compare-and-swap on the record. */
  static final Parts NO_SWAP =
      new Parts() {
        @Override
        public CommitOperator.LedgerFactory ledgers(CommitOperator.LedgerFactory real) {
          return () -> new Blind(real.open(), false);
        }
      };

  /** The same, and offsets do not tell either: what is recorded is the farthest of both. */
  static final Parts NO_FENCE =
      new Parts() {
        @Override
        public CommitOperator.LedgerFactory ledgers(CommitOperator.LedgerFactory real) {
          return () -> new Blind(real.open(), true);
        }
      };

  /** Says that the table's last commit is the one that its own job made, and builds on any. */
  private static final class Blind extends ForwardingLedger {
    private final boolean farthest;
    private @Nullable CommitRecord own;

    private Blind(TableLedger real, boolean farthest) {
      super(real);
      this.farthest = farthest;
      own = real.last();
    }

    @Override
    public @Nullable CommitRecord last() {
      return own;
    }

    @Override
    public @Nullable CommitRecord commit(List<Batch> batches, CommitRecord record) {
      CommitRecord there = real.last();
      CommitRecord on = named(record, record.commitId(), there == null ? null : there.commitId());
      real.commit(batches, farthest && there != null ? reaching(on, there) : on);
      own = record;
      return record;
    }

    private static CommitRecord reaching(CommitRecord r, CommitRecord there) {
      return new CommitRecord(
          r.commitId(),
          r.parent(),
          r.incarnation(),
          r.checkpoint(),
          r.progress().merge(there.progress()),
          r.stats(),
          r.tombstoneSnapshot(),
          r.horizon(),
          r.replay());
    }
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

  private interface Committing extends Serializable {
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

  private static Winner moved(Winner winner, Placement placement) {
    byte[] place = placement.of(winner.change().row());
    Mark lies = Objects.requireNonNull(winner.replaced());
    return new Winner(
        winner.change(), new Mark(lies.version(), lies.kind(), lies.contentHash(), place));
  }
}
