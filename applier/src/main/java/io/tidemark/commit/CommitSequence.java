package io.tidemark.commit;

import io.tidemark.change.TopicPartition;
import io.tidemark.failure.RefusedException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The commits of one job to one table: what barriers closed, what landed, what comes next.
 *
 * <p>Not thread-safe.
 */
public final class CommitSequence {
  private static final int VERSION = 4;
  private static final int WITHOUT_ROWS_FOUND = 3;
  private static final int WITHOUT_REPLAYS = 2;
  private static final int WITHOUT_INCARNATION = 1;
  private static final String UNKNOWN = "";

  private final TableLedger ledger;
  private final String incarnation;
  private final Retention retention;
  private final List<PendingCommit> pending = new ArrayList<>();

  /** Ids of pending commits that an earlier attempt may have sent to the table. */
  private final Set<String> maybeSent = new HashSet<>();

  private @Nullable String lastCommitId;
  private @Nullable String lastIncarnation;
  private Progress progress = Progress.NONE;
  private Set<TopicPartition> partitions = Set.of();
  private AcceptedReplay replay = AcceptedReplay.NONE;
  private boolean replayEnded;
  private @Nullable LiveRows found;

  /**
   * A sequence with nothing pending.
   *
   * @param incarnation random identity of this job, for people
   * @param retention of deleted keys, from which the records' horizon follows
   * @param lastCommitId commit-id of the record that the job starts from; null for a new table
   */
  public CommitSequence(
      TableLedger ledger, String incarnation, Retention retention, @Nullable String lastCommitId) {
    this.ledger = ledger;
    this.incarnation = incarnation;
    this.retention = retention;
    this.lastCommitId = lastCommitId;
  }

  /** How far the source was read at the last barrier. */
  public Progress progress() {
    return progress;
  }

  /** A job without state begins a replay that takes unknown keys for new ones. */
  public void begin(AcceptedReplay planned) {
    replay = planned;
  }

  /**
   * More was read.
   *
   * @param read what a reader has read itself
   */
  public void read(Progress read) {
    replay = replay.read(read);
  }

  /** What a start without state found in the table, which counts where its record does not say. */
  public void found(LiveRows rows) {
    found = rows;
  }

  /**
   * The source has these partitions. Nothing is recorded of those that were not read, but the
   * records' horizon stays.
   */
  public void have(Set<TopicPartition> planned) {
    partitions = Set.copyOf(planned);
  }

  /**
   * A barrier closed these batches.
   *
   * @param commitId the identity that they will have in the table; random
   * @param batches in the order in which they apply; may be empty
   * @param readSoFar never less than at the barrier before
   */
  public void close(long checkpoint, String commitId, List<Batch> batches, Progress readSoFar) {
    progress = readSoFar;
    pending.add(new PendingCommit(checkpoint, commitId, batches, readSoFar, replay.isThrough()));
  }

  /**
   * Commits what the barriers of completed checkpoints closed.
   *
   * @param upTo the highest completed checkpoint
   * @param evenWithoutFiles whether offsets that moved are recorded although nothing changed
   * @return whether the table has a new record
   * @throws RefusedException if another writer committed, or the table is not the one that this job
   *     knew
   */
  public boolean commit(long upTo, boolean evenWithoutFiles) {
    return commit(upTo, evenWithoutFiles, UnaryOperator.identity());
  }

  /**
   * Commits what the barriers of completed checkpoints closed.
   *
   * @param upTo the highest completed checkpoint
   * @param evenWithoutFiles whether offsets that moved are recorded although nothing changed
   * @param further is given what the record would say, and says what it says: the same, or more
   *     that no record lies in. So the table is the fold of the log up to either, wherever the
   *     readers are
   * @return whether the table has a new record
   * @throws RefusedException if another writer committed, or the table is not the one that this job
   *     knew
   */
  public boolean commit(long upTo, boolean evenWithoutFiles, UnaryOperator<Progress> further) {
    List<PendingCommit> ready = new ArrayList<>();
    for (PendingCommit commit : pending) {
      if (commit.checkpoint() <= upTo) {
        ready.add(commit);
      }
    }
    boolean empty = ready.stream().allMatch(PendingCommit::isEmpty);
    boolean landed = false;
    boolean ends = ready.stream().anyMatch(this::endsReplay);
    if (!ready.isEmpty() && (!empty || evenWithoutFiles || ends)) {
      landed = land(ready, empty, further);
      replayEnded |= ends;
    }
    if (landed) {
      pending.removeAll(ready);
      ready.forEach(commit -> maybeSent.remove(commit.commitId()));
    } else {
      passOver(upTo); // none of them has files
    }
    return landed;
  }

  /**
   * Whether {@link #commit} would ask the table.
   *
   * @param upTo the highest completed checkpoint
   * @param evenWithoutFiles whether offsets that moved are recorded although nothing changed
   */
  public boolean isDue(long upTo, boolean evenWithoutFiles) {
    return pending.stream()
        .anyMatch(
            commit ->
                commit.checkpoint() <= upTo
                    && (evenWithoutFiles || !commit.isEmpty() || endsReplay(commit)));
  }

  /** Until the record says so, whoever starts without state is told to begin it again. */
  private boolean endsReplay(PendingCommit commit) {
    return commit.replayed() && !replayEnded;
  }

  /**
   * Forgets what completed checkpoints closed without files, where nothing is committed now.
   * Nothing is lost: what the next barrier closes knows their progress, too, and nobody has seen
   * their ids. The ids of what an earlier attempt closed the table may have, or may get yet: they
   * stay until a commit has landed on top, which leaves them no place.
   *
   * @param upTo the highest completed checkpoint
   */
  public void passOver(long upTo) {
    pending.removeIf(
        commit ->
            commit.checkpoint() <= upTo
                && commit.isEmpty()
                && !maybeSent.contains(commit.commitId()));
    pending.replaceAll(commit -> commit.checkpoint() <= upTo ? commit.withoutProgress() : commit);
  }

  /**
   * Makes sure, after a start, that the table is the one that this job knows, and that all which
   * was restored is in it.
   *
   * @throws RefusedException if another writer committed, or the table is not the one that this job
   *     knew
   */
  public void settle() {
    check();
    commit(Long.MAX_VALUE, false);
  }

  /**
   * The first half of {@link #settle}, which commits nothing.
   *
   * @throws RefusedException if another writer committed, or the table is not the one that this job
   *     knew
   */
  public void check() {
    CommitRecord last = ledger.last();
    CommitPlan plan = CommitPlan.decide(id(last), lastCommitId, pending);
    if (plan instanceof CommitPlan.Fenced fenced) {
      throw refusal(fenced, last);
    }
    if (plan instanceof CommitPlan.Commit next) {
      refuseMissing(next.commit());
    }
    if (last != null && pending.stream().anyMatch(c -> c.commitId().equals(last.commitId()))) {
      // Also where it has no files: an empty commit renews the record, and what follows builds on
      // it.
      landed(last);
    }
  }

  private boolean land(List<PendingCommit> ready, boolean empty, UnaryOperator<Progress> further) {
    CommitRecord last = ledger.last();
    for (; ; ) {
      CommitPlan plan = CommitPlan.decide(id(last), lastCommitId, ready);
      if (plan instanceof CommitPlan.Landed && last != null) {
        landed(last);
        return true;
      }
      if (plan instanceof CommitPlan.Fenced fenced) {
        throw refusal(fenced, last);
      }
      CommitPlan.Commit next = (CommitPlan.Commit) plan;
      CommitRecord record = record(next, last, further);
      if (empty
          && last != null
          && record.progress().equals(last.progress())
          && record.replay().equals(last.replay())) {
        return false;
      }
      if (empty && last == null && record.progress().partitions().isEmpty()) {
        return false;
      }
      last = ledger.commit(next.commit().batches(), record);
      // Another's record, or an earlier one of ours: the plan is made anew from it.
    }
  }

  private void landed(CommitRecord last) {
    lastCommitId = last.commitId();
    lastIncarnation = last.incarnation();
  }

  private CommitRecord record(
      CommitPlan.Commit next, @Nullable CommitRecord parent, UnaryOperator<Progress> further) {
    PendingCommit commit = next.commit();
    Progress read = commit.progress();
    BatchStats stats =
        commit.batches().stream()
            .map(batch -> batch.files().stats())
            .reduce(before(parent), BatchStats::plus);
    if (parent != null) {
      // A replay reads below what the table stands for; the table still stands for it.
      read = read.merge(parent.progress());
    }
    read = further.apply(read);
    return new CommitRecord(
        commit.commitId(),
        next.parent(),
        incarnation,
        commit.checkpoint(),
        read,
        stats,
        null,
        retention.horizon(read, partitions, parent == null ? null : parent.horizon()),
        underWay(commit, read, parent));
  }

  /** What counts on from record to record. */
  private BatchStats before(@Nullable CommitRecord parent) {
    BatchStats before =
        parent == null
            ? BatchStats.NONE.withLive(found == null ? LiveRows.NONE : found)
            : parent.stats().carried();
    return before.live() == null ? before.withLive(found) : before;
  }

  private Map<TopicPartition, Long> underWay(
      PendingCommit commit, Progress read, @Nullable CommitRecord parent) {
    if (parent == null) {
      return Map.of();
    }
    Map<TopicPartition, Long> underWay = replay.recorded(parent.replay(), commit.replayed());
    // Of a topic that was created anew nobody can begin it again.
    underWay.keySet().removeIf(tp -> read.isAnewIn(tp.topic(), parent.progress()));
    return underWay;
  }

  private RefusedException refusal(CommitPlan.Fenced fenced, @Nullable CommitRecord last) {
    String known = fenced.expected();
    // Asked last: the history is read only for the sake of a better message.
    Lineage lineage = known == null ? new Lineage(null, true) : ledger.lineage(known);
    return new RefusedException(
        new Fence(incarnation, known, lastIncarnation, last).message(lineage));
  }

  /** A commit of files that are gone would make the table unreadable. */
  private void refuseMissing(PendingCommit commit) {
    String missing = ledger.missing(commit.batches());
    if (missing != null) {
      throw new RefusedException(
          "Commit "
              + commit.commitId()
              + " is in the state of this job (incarnation "
              + incarnation
              + ") and not in the table, and its files are gone, the first of them "
              + missing
              + ". The table was dropped and created anew, or rolled back and its unused files"
              + " removed. This job stops; it has changed nothing. Start without state (./tidemark"
              + " run -c FILE; on a cluster, submit the job without a savepoint): it goes on from"
              + " the table's record");
    }
  }

  private static @Nullable String id(@Nullable CommitRecord record) {
    return record == null ? null : record.commitId();
  }

  /** The bytes for a checkpoint. */
  public byte[] save() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeBoolean(lastCommitId != null);
      if (lastCommitId != null) {
        out.writeUTF(lastCommitId);
      }
      out.writeUTF(Objects.requireNonNullElse(lastIncarnation, UNKNOWN));
      CommitCodec.writeProgress(progress, out);
      CommitCodec.writeReplay(replay, out);
      CommitCodec.writeLiveRows(found, out);
      out.writeInt(pending.size());
      for (PendingCommit commit : pending) {
        CommitCodec.writePending(commit, out);
      }
    }
    return bytes.toByteArray();
  }

  /**
   * The sequence that {@link #save()} wrote, in this version or an earlier one.
   *
   * @throws RefusedException if the format version is another one
   */
  public static CommitSequence restore(
      TableLedger ledger, String incarnation, Retention retention, byte[] saved)
      throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(saved))) {
      int version = in.readByte();
      if (version < WITHOUT_INCARNATION || version > VERSION) {
        throw RefusedException.newerState("The committer's state", version, VERSION);
      }
      CommitSequence sequence =
          new CommitSequence(
              ledger, incarnation, retention, in.readBoolean() ? in.readUTF() : null);
      String incarnationBefore = version == WITHOUT_INCARNATION ? UNKNOWN : in.readUTF();
      sequence.lastIncarnation = incarnationBefore.equals(UNKNOWN) ? null : incarnationBefore;
      sequence.progress = CommitCodec.readProgress(in);
      if (version > WITHOUT_REPLAYS) {
        sequence.replay = CommitCodec.readReplay(in);
      }
      if (version > WITHOUT_ROWS_FOUND) {
        sequence.found = CommitCodec.readLiveRows(in);
      }
      int count = in.readInt();
      for (int i = 0; i < count; i++) {
        PendingCommit commit = CommitCodec.readPending(in);
        sequence.pending.add(commit);
        sequence.maybeSent.add(commit.commitId());
      }
      return sequence;
    }
  }
}
