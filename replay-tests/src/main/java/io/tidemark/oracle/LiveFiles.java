package io.tidemark.oracle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.ManifestContent;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.NotFoundException;

/** Checks the files that the snapshots of a table refer to. */
final class LiveFiles {

  /** What is wrong with a file. */
  enum Fault {
    TWICE("file is live twice: "),
    GONE("file does not exist: ");

    private final String text;

    Fault(String text) {
      this.text = text;
    }

    String of(String path) {
      return text + path;
    }
  }

  private final Table table;
  private final Map<String, List<String>> pathsByManifest = new HashMap<>();
  private final Set<String> found = new HashSet<>();

  LiveFiles(Table table) {
    this.table = table;
  }

  /**
   * Tells each path that is live twice in a snapshot and each that does not exist.
   *
   * @return whether all files are there
   */
  boolean check(Snapshot snapshot, BiConsumer<Fault, String> problems) {
    boolean complete = true;
    Set<String> live = new HashSet<>();
    for (ManifestFile manifest : snapshot.allManifests(table.io())) {
      for (String path : paths(manifest)) {
        if (!live.add(path)) {
          problems.accept(Fault.TWICE, path);
        }
        if (!found.contains(path)) {
          if (exists(path)) {
            found.add(path);
          } else {
            complete = false;
            problems.accept(Fault.GONE, path);
          }
        }
      }
    }
    return complete;
  }

  private boolean exists(String path) {
    try {
      return table.io().newInputFile(path).exists();
    } catch (NotFoundException e) {
      return false;
    }
  }

  /** The files that a manifest says are live. */
  List<String> paths(ManifestFile manifest) {
    return pathsByManifest.computeIfAbsent(manifest.path(), path -> readPaths(manifest));
  }

  private List<String> readPaths(ManifestFile manifest) {
    try (ManifestReader<? extends ContentFile<?>> files = open(manifest)) {
      List<String> paths = new java.util.ArrayList<>();
      files.forEach(file -> paths.add(file.location()));
      return paths;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ManifestReader<? extends ContentFile<?>> open(ManifestFile manifest) {
    return manifest.content() == ManifestContent.DATA
        ? ManifestFiles.read(manifest, table.io(), table.specs())
        : ManifestFiles.readDeleteManifest(manifest, table.io(), table.specs());
  }
}
