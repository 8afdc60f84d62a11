package io.tidemark.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of every command that reads a table as it is or was. */
public final class SnapshotId {

  @Option(
      names = "--snapshot",
      paramLabel = "ID",
      description = "The table as it was in this snapshot, in place of the current one.")
  private @Nullable Long id;

  /** The snapshot's id; null for the current one. */
  public @Nullable Long get() {
    return id;
  }
}
