package io.tidemark.iceberg;

import java.util.Map;
import java.util.regex.Pattern;
import org.apache.iceberg.ManageSnapshots;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.jspecify.annotations.Nullable;

/**
 * Tags on the snapshots of a tombstone table that a record names, or may still come to name: what a
 * tag names outlives everybody's expiry.
 *
 * <p>Tombstones are committed before the table. In between, and for ever where the job dies there,
 * the record names a snapshot that is not the current one any more, and expiry keeps no other. The
 * other way round, a commit that arrives late names tombstones that another job has taken back
 * already. So each snapshot gets its tag with the transaction that appends it, and loses it when no
 * record can name it any more.
 *
 * <p>When that is: whoever appends has read a record of the table. What a later record names was
 * appended after it, and so has a higher sequence number than what this record names. That holds
 * however late the one who appends is, so nobody takes a tag away that another one needs.
 */
final class KeptTombstones {
  private static final String PREFIX = "tidemark-";
  private static final Pattern OWN = Pattern.compile(PREFIX + "[0-9]+");
  private static final int ATTEMPTS = 5;

  private KeptTombstones() {}

  /** What was kept of a snapshot that is gone itself; null if nothing was. */
  static @Nullable Long of(Table table, long pinned) {
    SnapshotRef ref = table.refs().get(PREFIX + pinned);
    return ref == null ? null : ref.snapshotId();
  }

  /**
   * Keeps what a record names, where nobody did: an earlier Tidemark, or somebody dropped the tag.
   *
   * @param snapshot what is to be read for {@code pinned}
   */
  static void keep(Table table, long pinned, long snapshot) {
    for (int attempt = 1; of(table, pinned) == null; attempt++) {
      try {
        ManageSnapshots tags = table.manageSnapshots();
        tag(tags, pinned, snapshot);
        commit(table, tags::commit);
      } catch (CommitFailedException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
      table.refresh();
    }
  }

  /**
   * Keeps {@code pinned} and {@code appended} with the transaction, and from then on no more what
   * is older than {@code pinned}.
   *
   * @param pinned the snapshot that the parent's record names; null for none
   * @param base what the transaction builds on: {@code pinned}, or what others made of it
   * @param appended the snapshot that the commit's record is to name
   */
  static void keep(Transaction tx, @Nullable Long pinned, @Nullable Long base, long appended) {
    Table table = tx.table();
    ManageSnapshots tags = tx.manageSnapshots();
    if (of(table, appended) == null) {
      tag(tags, appended, appended);
    }
    if (pinned != null) {
      Snapshot named = table.snapshot(pinned);
      if (base != null && of(table, pinned) == null) {
        tag(tags, pinned, named == null ? base : pinned);
      }
      if (named != null) {
        release(tags, table, named.sequenceNumber());
      }
    }
    tags.commit();
  }

  /**
   * Makes a commit that may set tags.
   *
   * @throws BadRequestException if the catalog refuses it, which it may do for the tags
   */
  static void commit(Table table, Runnable commit) {
    try {
      commit.run();
    } catch (BadRequestException | UnsupportedOperationException e) {
      throw new BadRequestException(
          e,
          "The catalog refuses a commit that sets tags (%s…) of table %s, by which tombstones outlive"
              + " expiry: %s. If it takes no tags at all, keep the table in another catalog",
          PREFIX,
          table.name(),
          e.getMessage());
    }
  }

  private static void tag(ManageSnapshots tags, long pinned, long snapshot) {
    String name = PREFIX + pinned;
    // A property of the table may say that tags expire; what the tag itself says comes first.
    tags.createTag(name, snapshot).setMaxRefAgeMs(name, Long.MAX_VALUE);
  }

  private static void release(ManageSnapshots tags, Table table, long before) {
    for (Map.Entry<String, SnapshotRef> ref : table.refs().entrySet()) {
      if (OWN.matcher(ref.getKey()).matches() && ref.getValue().isTag()) {
        Snapshot kept = table.snapshot(ref.getValue().snapshotId());
        if (kept.sequenceNumber() < before) {
          tags.removeTag(ref.getKey());
        }
      }
    }
  }
}
