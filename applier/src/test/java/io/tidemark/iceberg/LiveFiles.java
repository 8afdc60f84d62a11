package io.tidemark.iceberg;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterable;

/** The files that a snapshot refers to. */
final class LiveFiles {
  private LiveFiles() {}

  /** Each data file is referred to once, and all of them and their deletes can be read. */
  static void areThereOnce(Table table, Snapshot snapshot)
      throws IOException, InterruptedException {
    Set<String> seen = new HashSet<>();
    try (CloseableIterable<FileScanTask> files =
        table.newScan().useSnapshot(snapshot.snapshotId()).planFiles()) {
      for (FileScanTask file : files) {
        String path = file.file().location();
        assertThat(seen.add(path)).as("%s is live once", path).isTrue();
        assertThat(table.io().newInputFile(path).exists()).isTrue();
        for (DeleteFile delete : file.deletes()) {
          assertThat(table.io().newInputFile(delete.location()).exists()).isTrue();
        }
      }
    }
  }

  /**
   * Where the lists of several snapshots name a manifest, they give it the same sequence number:
   * the one that decides which rows its deletes reach.
   */
  static void haveOneSequenceNumber(Table table) {
    Map<String, Long> seen = new HashMap<>();
    for (Snapshot snapshot : table.snapshots()) {
      for (ManifestFile manifest : snapshot.allManifests(table.io())) {
        Long before = seen.putIfAbsent(manifest.path(), manifest.sequenceNumber());
        if (before != null) {
          assertThat(manifest.sequenceNumber()).as(manifest.path()).isEqualTo(before);
        }
      }
    }
  }
}
