package io.tidemark.oracle;

import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ReachableFileUtil;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.SupportsPrefixOperations;

/**
 * The files of a table (I10). One that lies there and that no snapshot refers to was left by an
 * attempt that failed: a task that had written files when it died, or a commit whose outcome was
 * not known, after which nothing may be deleted. Without faults there is none.
 *
 * @param referenced files that some snapshot or the metadata refers to
 * @param lost those of them that do not exist
 * @param leftData files of rows and deletes that nothing refers to
 * @param leftMetadata manifests, their lists and metadata files that nothing refers to
 */
public record FileReport(
    int referenced, Set<String> lost, Set<String> leftData, Set<String> leftMetadata) {

  public FileReport {
    lost = new TreeSet<>(lost);
    leftData = new TreeSet<>(leftData);
    leftMetadata = new TreeSet<>(leftMetadata);
  }

  /**
   * Lists and compares. No job may be running: files that it is about to commit look left behind.
   *
   * @throws IllegalArgumentException if the table's file system cannot list
   */
  public static FileReport of(Table table) {
    if (!(table.io() instanceof SupportsPrefixOperations files)) {
      throw new IllegalArgumentException(
          "The files of " + table.name() + " cannot be listed by " + table.io().getClass());
    }
    Set<String> present = new HashSet<>();
    for (FileInfo file : files.listPrefix(table.location())) {
      present.add(path(file.location()));
    }
    Set<String> referenced = referenced(table);
    Set<String> lost = new HashSet<>(referenced);
    lost.removeAll(present);
    Set<String> left = new HashSet<>(present);
    left.removeAll(referenced);
    Set<String> known = new HashSet<>();
    // Older metadata files may stay after the log of them has forgotten them, and Hadoop's hint is
    // a pointer: neither is anything that an attempt left behind.
    left.stream().filter(FileReport::isMetadataJsonOrHint).forEach(known::add);
    left.removeAll(known);
    Set<String> data = new HashSet<>();
    left.stream().filter(file -> file.contains("/data/")).forEach(data::add);
    left.removeAll(data);
    return new FileReport(referenced.size(), lost, data, left);
  }

  /** Both together. */
  public FileReport plus(FileReport other) {
    return new FileReport(
        referenced + other.referenced,
        union(lost, other.lost),
        union(leftData, other.leftData),
        union(leftMetadata, other.leftMetadata));
  }

  /**
   * What was left behind since an earlier look. A job may have run at that time: what it was about
   * to commit looked left behind then, and is referred to now.
   */
  public FileReport since(FileReport before) {
    return new FileReport(
        referenced,
        lost,
        without(leftData, before.leftData),
        without(leftMetadata, before.leftMetadata));
  }

  /** How many files were left behind. */
  public int left() {
    return leftData.size() + leftMetadata.size();
  }

  /**
   * No file is lost, and no more are left behind than faults explain.
   *
   * @param perFault how many files one failed attempt can leave at most
   * @throws AssertionError with the first files
   */
  public FileReport explainedBy(int faults, int perFault) {
    if (!lost.isEmpty()) {
      throw new AssertionError("I10: lost files: " + first(lost));
    }
    if (left() > faults * perFault) {
      throw new AssertionError(
          "I10: "
              + this
              + ", but "
              + faults
              + " faults explain at most "
              + faults * perFault
              + " of them: "
              + first(leftData)
              + first(leftMetadata));
    }
    return this;
  }

  @Override
  public String toString() {
    return referenced
        + " files referred to, "
        + lost.size()
        + " of them lost, "
        + leftData.size()
        + " data and "
        + leftMetadata.size()
        + " metadata files left behind";
  }

  private static Set<String> referenced(Table table) {
    Set<String> files = new HashSet<>();
    ReachableFileUtil.metadataFileLocations(table, false).forEach(file -> files.add(path(file)));
    ReachableFileUtil.manifestListLocations(table).forEach(file -> files.add(path(file)));
    ReachableFileUtil.statisticsFilesLocations(table).forEach(file -> files.add(path(file)));
    LiveFiles live = new LiveFiles(table);
    for (Snapshot snapshot : table.snapshots()) {
      for (ManifestFile manifest : snapshot.allManifests(table.io())) {
        files.add(path(manifest.path()));
        live.paths(manifest).forEach(file -> files.add(path(file)));
      }
    }
    return files;
  }

  private static boolean isMetadataJsonOrHint(String file) {
    return file.endsWith(".metadata.json") || file.endsWith("/version-hint.text");
  }

  /**
   * Without the scheme, which one place writes as {@code file:/} and another as {@code file:///}.
   */
  private static String path(String location) {
    String path = URI.create(location.replace(" ", "%20")).getPath();
    return path == null ? location : path;
  }

  private static Set<String> union(Set<String> one, Set<String> other) {
    Set<String> both = new HashSet<>(one);
    both.addAll(other);
    return both;
  }

  private static Set<String> without(Set<String> all, Set<String> some) {
    Set<String> rest = new HashSet<>(all);
    rest.removeAll(some);
    return rest;
  }

  private static List<String> first(Set<String> files) {
    try (Stream<String> some = files.stream()) {
      return some.limit(5).toList();
    }
  }
}
