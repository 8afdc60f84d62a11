package io.tidemark.iceberg;

import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import io.tidemark.commit.Batch;
import io.tidemark.commit.BatchKey;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.Lineage;
import io.tidemark.commit.TableLedger;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.merge.BatchWriter;
import io.tidemark.merge.Placement;
import io.tidemark.merge.StoredRow;
import io.tidemark.merge.Winner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Bugs of the ledger and the writer for a {@link FaultyCommitSequence}, and what it says of each.
 * The last five are those of the same name that the operators have planted, too; tests of this
 * module have no part in those.
 */
enum TablePlant {
  NONE("nothing"),

  /** Tombstones are dropped a day before the table's record lets them go. */
  DAYS_TOO_EARLY("could not find the following element"),

  /** No tag keeps from expiry what records name. */
  NO_TAGS("The tombstones that belong to the last commit are gone"),

  /** A delete leaves nothing in the table of tombstones. */
  FORGOTTEN_TOMBSTONE("could not find the following element") {
    @Override
    WrittenFiles write(BatchWriter real, Placement placement, List<Winner> batch)
        throws IOException {
      WrittenFiles files = real.write(batch);
      return new WrittenFiles(files.data(), files.deletes(), List.of(), files.stats());
    }
  },

  /** The row of a known key is not deleted before its next version is written. */
  ELIDED_DELETE(TablePlant.TWICE) {
    @Override
    WrittenFiles write(BatchWriter real, Placement placement, List<Winner> batch)
        throws IOException {
      return real.write(
          new ArrayList<>(batch.stream().map(w -> new Winner(w.change(), null)).toList()));
    }
  },

  /** A row is deleted in the partition of its next version, not in the one where it lies. */
  OLD_PARTITION_IGNORED(TablePlant.TWICE) {
    @Override
    WrittenFiles write(BatchWriter real, Placement placement, List<Winner> batch)
        throws IOException {
      List<Winner> moved = new ArrayList<>();
      for (Winner winner : batch) {
        boolean moves = winner.replaced() != null && winner.change().kind() == Kind.UPSERT;
        moved.add(moves ? moved(winner, placement) : winner);
      }
      return real.write(moved);
    }
  },

  /** All batches of a commit become one. */
  MERGED_BATCHES(TablePlant.TWICE) {
    @Override
    @Nullable CommitRecord commit(TableLedger real, List<Batch> batches, CommitRecord record) {
      WrittenFiles all =
          batches.stream().map(Batch::files).reduce(WrittenFiles.NONE, WrittenFiles::plus);
      return real.commit(List.of(new Batch(new BatchKey(1, 0), all)), record);
    }
  },

  /** A commit lands on whatever is there: no compare-and-swap on the record. */
  NO_SWAP(
      "expected: CommitRecord\\[commitId=([^,]+),.* but was: CommitRecord\\[commitId=(?!\\1,)") {
    @Override
    @Nullable CommitRecord commit(TableLedger real, List<Batch> batches, CommitRecord record) {
      CommitRecord there = real.last();
      boolean landed = there != null && there.commitId().equals(record.commitId());
      return real.commit(
          batches,
          new CommitRecord(
              record.commitId(),
              there == null || landed ? record.parent() : there.commitId(),
              record.incarnation(),
              record.checkpoint(),
              record.progress(),
              record.stats(),
              record.tombstoneSnapshot(),
              record.horizon(),
              record.replay()));
    }
  };

  private static final String TWICE = "\\S+ AND \\S+";

  private final Pattern says;

  TablePlant(String says) {
    this.says = Pattern.compile("(?s).*" + says + ".*");
  }

  /** Whether a failure is what this bug must lead to; any other counts for nothing. */
  boolean isSeenIn(Throwable failure) {
    return says.matcher(String.valueOf(failure.getMessage())).matches();
  }

  WrittenFiles write(BatchWriter real, Placement placement, List<Winner> batch) throws IOException {
    return real.write(batch);
  }

  @Nullable CommitRecord commit(TableLedger real, List<Batch> batches, CommitRecord record) {
    return real.commit(batches, record);
  }

  /** A writer with this bug. */
  BatchWriter writer(BatchWriter real, Placement placement) {
    return new BatchWriter() {
      @Override
      public WrittenFiles write(List<Winner> batch) throws IOException {
        return TablePlant.this.write(real, placement, batch);
      }

      @Override
      public Map<PrimaryKey, StoredRow> read(List<Wanted> wanted) throws IOException {
        return real.read(wanted);
      }

      @Override
      public void close() throws IOException {
        real.close();
      }
    };
  }

  /** A ledger with this bug. */
  TableLedger ledger(TableLedger real) {
    return new TableLedger() {
      @Override
      public @Nullable CommitRecord last() {
        return real.last();
      }

      @Override
      public Lineage lineage(String commitId) {
        return real.lineage(commitId);
      }

      @Override
      public @Nullable String missing(List<Batch> batches) {
        return real.missing(batches);
      }

      @Override
      public @Nullable CommitRecord commit(List<Batch> batches, CommitRecord record) {
        return TablePlant.this.commit(real, batches, record);
      }

      @Override
      public void close() {
        real.close();
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
