package io.tidemark.commit;

import java.util.ArrayList;
import java.util.List;

/**
 * Files that were written but that no table knows yet, each described in a text that the table
 * format can read back.
 *
 * @param data files with the rows
 * @param deletes equality-delete files, for rows of earlier batches
 * @param tombstones files of the table's tombstone table
 */
public record WrittenFiles(
    List<String> data, List<String> deletes, List<String> tombstones, BatchStats stats) {

  /** No files. */
  public static final WrittenFiles NONE =
      new WrittenFiles(List.of(), List.of(), List.of(), BatchStats.NONE);

  public WrittenFiles {
    data = List.copyOf(data);
    deletes = List.copyOf(deletes);
    tombstones = List.copyOf(tombstones);
  }

  /** Whether there is nothing to commit. */
  public boolean isEmpty() {
    return data.isEmpty() && deletes.isEmpty() && tombstones.isEmpty();
  }

  /** The files of both, for batches whose keys are disjoint. */
  public WrittenFiles plus(WrittenFiles other) {
    return new WrittenFiles(
        concat(data, other.data),
        concat(deletes, other.deletes),
        concat(tombstones, other.tombstones),
        stats.plus(other.stats));
  }

  private static List<String> concat(List<String> a, List<String> b) {
    List<String> both = new ArrayList<>(a);
    both.addAll(b);
    return both;
  }
}
