package io.tidemark.flink;

import io.tidemark.commit.BatchKey;
import io.tidemark.commit.LiveRows;
import io.tidemark.commit.Progress;
import io.tidemark.commit.WrittenFiles;

/** What the committer is told. What belongs to a checkpoint is told before its barrier. */
public sealed interface CommitInput {

  /** A gate closed a batch. */
  record BatchClosed(BatchKey key, WrittenFiles files) implements CommitInput {}

  /** A start without state found these rows in the table. */
  record Seeded(LiveRows rows) implements CommitInput {}

  /** A reader got this far. */
  record Read(Progress progress) implements CommitInput {}
}
