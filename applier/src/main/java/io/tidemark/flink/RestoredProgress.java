package io.tidemark.flink;

import io.tidemark.commit.CommitCodec;
import io.tidemark.commit.Progress;
import io.tidemark.failure.RefusedException;
import java.io.IOException;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/** Progress that was kept in state. */
final class RestoredProgress {
  private RestoredProgress() {}

  /**
   * Reads it.
   *
   * @throws SuppressRestartsException if a newer build wrote it, as it is in every attempt
   */
  static Progress of(byte[] saved) throws IOException {
    try {
      return CommitCodec.progressFromBytes(saved);
    } catch (RefusedException e) {
      throw new SuppressRestartsException(e);
    }
  }
}
