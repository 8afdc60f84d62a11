package io.tidemark.iceberg;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotAncestryValidator;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.util.DataFileSet;

/** Data files that a table refers to more than once. */
final class DoubledFiles {
  private DoubledFiles() {}

  /**
   * Has the table refer to each once, at the sequence number that it first had: deletes since then
   * reach its rows again.
   *
   * @param summary of each snapshot
   * @param validator of the first of them
   * @return whether there were any
   */
  static boolean referToOnce(
      Transaction tx,
      Acceptance accepted,
      Map<String, String> summary,
      SnapshotAncestryValidator validator) {
    if (accepted.doubled().isEmpty()) {
      return false;
    }
    boolean first = true;
    for (Map.Entry<Long, Set<DataFile>> files :
        bySequenceNumber(tx.table(), Set.copyOf(accepted.doubled())).entrySet()) {
      RewriteFiles rewrite =
          tx.newRewrite()
              .validateFromSnapshot(accepted.snapshot())
              .dataSequenceNumber(files.getKey());
      files.getValue().forEach(file -> rewrite.deleteFile(file).addFile(file));
      summary.forEach(rewrite::set);
      if (first) {
        rewrite.validateWith(validator);
        first = false;
      }
      rewrite.commit();
    }
    return !first;
  }

  private static SortedMap<Long, Set<DataFile>> bySequenceNumber(
      Table table, Set<String> locations) {
    SortedMap<Long, Set<DataFile>> files = new TreeMap<>();
    for (DataFile file : oldest(table, locations).values()) {
      // A file that remembers its manifest is removed from that manifest only.
      List<String> text = FileDescriptions.write(List.of(file), table.specs());
      files
          .computeIfAbsent(sequenceNumber(file), number -> DataFileSet.create())
          .addAll(FileDescriptions.readData(text, table.specs()));
    }
    return files;
  }

  private static Map<String, DataFile> oldest(Table table, Set<String> locations) {
    Map<String, DataFile> oldest = new TreeMap<>();
    Snapshot current = table.currentSnapshot();
    if (current == null) {
      return oldest;
    }
    for (ManifestFile manifest : current.dataManifests(table.io())) {
      try (ManifestReader<DataFile> files =
          ManifestFiles.read(manifest, table.io(), table.specs())) {
        for (DataFile file : files) {
          if (locations.contains(file.location())) {
            oldest.merge(
                file.location(),
                file.copy(),
                (a, b) -> sequenceNumber(a) <= sequenceNumber(b) ? a : b);
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException("A manifest of " + table.name() + " could not be closed", e);
      }
    }
    return oldest;
  }

  private static long sequenceNumber(DataFile file) {
    return Objects.requireNonNull(file.dataSequenceNumber());
  }
}
