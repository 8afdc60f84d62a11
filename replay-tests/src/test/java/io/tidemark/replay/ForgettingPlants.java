package io.tidemark.replay;

import io.tidemark.change.Mark;
import io.tidemark.change.PartitionProgress;
import io.tidemark.change.PrimaryKey;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.Batch;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.LiveRows;
import io.tidemark.commit.Progress;
import io.tidemark.fault.ForwardingLedger;
import io.tidemark.fault.Parts;
import io.tidemark.flink.CommitOperator;
import io.tidemark.flink.Forgetting;
import io.tidemark.merge.Seed;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Bugs in how deleted keys are forgotten, each planted through a port. */
final class ForgettingPlants {

  private ForgettingPlants() {}

  /** The horizon follows the fastest partition. */
  static Parts fastest() {
    return new Parts() {
      private long newest = Long.MIN_VALUE;

      @Override
      public Progress reported(Progress real) {
        for (PartitionProgress known : real.partitions().values()) {
          newest = Math.max(newest, known.last().highWaterTimeMicros());
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

  /** The record does not say that a replay is under way. */
  static final Parts REPLAYS_FORGOTTEN =
      new Parts() {
        @Override
        public CommitOperator.LedgerFactory ledgers(CommitOperator.LedgerFactory real) {
          return () ->
              new ForwardingLedger(real.open()) {
                @Override
                public @Nullable CommitRecord commit(List<Batch> batches, CommitRecord r) {
                  return super.commit(
                      batches,
                      new CommitRecord(
                          r.commitId(),
                          r.parent(),
                          r.incarnation(),
                          r.checkpoint(),
                          r.progress(),
                          r.stats(),
                          r.tombstoneSnapshot(),
                          r.horizon(),
                          Map.of()));
                }
              };
        }
      };

  private record DeadOnly(Seed real) implements Seed {
    @Override
    public LiveRows read(BiConsumer<PrimaryKey, Mark> marks)
        throws IOException, InterruptedException {
      return real.read(
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
                        p.nextOffset(),
                        p.origin(),
                        p.last().highWater(),
                        micros,
                        p.last().generations())));
    return new Progress(partitions);
  }
}
