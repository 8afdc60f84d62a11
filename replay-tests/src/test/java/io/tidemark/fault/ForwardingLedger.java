package io.tidemark.fault;

import io.tidemark.commit.Batch;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.Lineage;
import io.tidemark.commit.TableLedger;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A ledger that does what another does; to be extended where it is not to. */
public class ForwardingLedger implements TableLedger {

  protected final TableLedger real;

  public ForwardingLedger(TableLedger real) {
    this.real = real;
  }

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
    return real.commit(batches, record);
  }

  @Override
  public void close() {
    real.close();
  }

  /** The same record under another identity. */
  public static CommitRecord named(CommitRecord r, String id, @Nullable String parent) {
    return new CommitRecord(
        id,
        parent,
        r.incarnation(),
        r.checkpoint(),
        r.progress(),
        r.stats(),
        r.tombstoneSnapshot(),
        r.horizon(),
        r.replay());
  }
}
