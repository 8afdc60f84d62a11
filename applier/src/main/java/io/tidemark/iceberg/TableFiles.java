package io.tidemark.iceberg;

import io.tidemark.failure.RefusedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.ManifestContent;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotParser;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.util.Tasks;
import org.apache.iceberg.util.ThreadPools;
import org.jspecify.annotations.Nullable;

/**
 * Whether the files of a snapshot are what was written.
 *
 * <p>A manifest or a list of them that was cut, or has zeros at its end, is read without an
 * exception, as a shorter one ({@link AvroBlocks}). So whoever goes by what they list looks at them
 * first. Everything else that is damaged makes a read fail, and is looked for then.
 */
public final class TableFiles {
  private final Table table;
  private final Snapshot snapshot;
  private final FileIO io;
  private List<ManifestFile> listed = List.of();

  private TableFiles(Table table, Snapshot snapshot) {
    this.table = table;
    this.snapshot = snapshot;
    this.io = table.io();
  }

  /**
   * Makes sure that the manifests of a snapshot and their list are whole.
   *
   * @throws RefusedException if one is not, with its name
   * @throws UncheckedIOException or what else the store throws if they did not come
   */
  static void requireLists(Table table, long snapshotId) {
    Snapshot snapshot = table.snapshot(snapshotId);
    if (snapshot != null) {
      TableFiles files = new TableFiles(table, snapshot);
      files.refuse(files.listFaults(false));
    }
  }

  /**
   * Makes sure, before a commit, that the list which it was made from was whole, and all manifests
   * that it wrote anew: what they lacked would be gone for good.
   *
   * @param from the snapshot that the commit builds on; null for none
   * @param after the table as the commit is to make it
   * @throws RefusedException if one is damaged; none is told to be missing, since that may be the
   *     work of an expiry
   */
  static void requireSources(Table before, @Nullable Snapshot from, Table after) {
    Snapshot to = after.currentSnapshot();
    if (from == null || to == null) {
      return;
    }
    TableFiles files = new TableFiles(before, from);
    List<FileFault> faults = new ArrayList<>();
    add(faults, files.listFault());
    if (faults.isEmpty()) {
      requireSame(from.allManifests(files.io), files.listed);
      Set<String> kept =
          to.allManifests(files.io).stream().map(ManifestFile::path).collect(Collectors.toSet());
      List<ManifestFile> replaced =
          files.listed.stream().filter(manifest -> !kept.contains(manifest.path())).toList();
      faults.addAll(files.manifestFaults(replaced, false));
    }
    faults.removeIf(fault -> fault.found() == null);
    files.refuse(faults);
  }

  /** The library reads a list once, and may have done so when it did not come whole. */
  private static void requireSame(List<ManifestFile> read, List<ManifestFile> listed) {
    if (!paths(read).equals(paths(listed))) {
      throw new UncheckedIOException(
          new IOException(
              "A list of "
                  + listed.size()
                  + " manifests was read as one of "
                  + read.size()
                  + ": it did not come whole at first"));
    }
  }

  private static List<String> paths(List<ManifestFile> manifests) {
    return manifests.stream().map(ManifestFile::path).toList();
  }

  /**
   * What a failed look at the manifests of a snapshot, or at their list, is refused with.
   *
   * @return null if they are as they were written, or do not come
   */
  static @Nullable RefusedException listRefusal(Table table, long snapshotId) {
    Snapshot snapshot = table.snapshot(snapshotId);
    if (snapshot == null) {
      return null;
    }
    TableFiles files = new TableFiles(table, snapshot);
    try {
      files.refuse(files.listFaults(true));
      return null;
    } catch (RefusedException e) {
      return e;
    } catch (RuntimeException e) {
      return null; // the store is away: what failed may be tried again
    }
  }

  /**
   * What a failed read of rows is refused with.
   *
   * @param snapshotId of the snapshot that was read
   * @param read the files that may have made it fail
   * @return null if they are as they were written, or do not come
   */
  static @Nullable RefusedException refusal(
      Table table, long snapshotId, List<? extends ContentFile<?>> read) {
    for (ContentFile<?> file : read) {
      FileFault fault = faultIfAny(table.io(), file);
      if (fault != null) {
        return fault.refusal(table.name(), snapshotId);
      }
    }
    return null;
  }

  /**
   * What is wrong with a file of rows or deletes.
   *
   * @return null if it is as it was written, or does not come
   */
  static @Nullable FileFault faultIfAny(FileIO io, ContentFile<?> file) {
    try {
      return fault(io, file);
    } catch (IOException | RuntimeException e) {
      return null; // the store is away: what failed may be tried again
    }
  }

  /** The file of rows, and those of deletes that apply to it. */
  static List<ContentFile<?>> of(FileScanTask part) {
    List<ContentFile<?>> files = new ArrayList<>();
    files.add(part.file());
    files.addAll(part.deletes());
    return files;
  }

  /**
   * All that is wrong with the files of a snapshot. Files that only a list which is damaged itself
   * would name are not looked at.
   *
   * @param content whether files of rows and deletes are decoded; otherwise only manifests are
   *     looked at, and their list
   * @throws UncheckedIOException or what else the store throws if one did not come
   */
  public static List<FileFault> faults(Table table, long snapshotId, boolean content) {
    Snapshot snapshot = table.snapshot(snapshotId);
    if (snapshot == null) {
      return List.of();
    }
    TableFiles files = new TableFiles(table, snapshot);
    List<FileFault> faults = files.listFaults(content);
    return content && faults.isEmpty() ? files.contentFaults() : faults;
  }

  private void refuse(List<FileFault> faults) {
    if (!faults.isEmpty()) {
      throw faults.get(0).refusal(table.name(), snapshot.snapshotId());
    }
  }

  /** Of the list, or where it is whole of its manifests. */
  private List<FileFault> listFaults(boolean decode) {
    List<FileFault> faults = new ArrayList<>();
    add(faults, listFault());
    return faults.isEmpty() ? manifestFaults(listed, decode) : faults;
  }

  private @Nullable FileFault listFault() {
    String list = snapshot.manifestListLocation();
    if (list == null || snapshot.keyId() != null) {
      listed = snapshot.allManifests(io);
      return null; // very old tables have none, and what is encrypted is decrypted elsewhere
    }
    try {
      return new StoredFile(io, list, -1)
          .fault(
              bytes -> {
                AvroBlocks.records(bytes);
                Snapshot unread = SnapshotParser.fromJson(SnapshotParser.toJson(snapshot));
                listed = unread.allManifests(new StoredFile.Fetched(list, bytes));
              });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<FileFault> manifestFaults(List<ManifestFile> manifests, boolean decode) {
    ConcurrentLinkedQueue<FileFault> faults = new ConcurrentLinkedQueue<>();
    Tasks.foreach(manifests)
        .executeWith(ThreadPools.getWorkerPool())
        .stopOnFailure()
        .throwFailureWhenFinished()
        .run(manifest -> add(faults, manifestFault(manifest, decode)));
    return new ArrayList<>(faults);
  }

  private @Nullable FileFault manifestFault(ManifestFile manifest, boolean decode) {
    StoredFile file = new StoredFile(io, manifest.path(), manifest.length());
    try {
      return manifest.keyMetadata() != null
          ? file.sizeFault()
          : file.fault(bytes -> look(manifest, bytes, decode));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void look(ManifestFile manifest, byte[] bytes, boolean decode) throws IOException {
    long records = AvroBlocks.records(bytes);
    Long listed = entries(manifest);
    if (listed != null && records < listed) {
      throw new IllegalArgumentException(
          "it has " + records + " entries, and had " + listed + " when it was written");
    }
    if (decode) {
      try (ManifestReader<?> entries =
          open(manifest, new StoredFile.Fetched(manifest.path(), bytes), table.specs())) {
        entries.forEach(entry -> {});
      }
    }
  }

  private static @Nullable Long entries(ManifestFile manifest) {
    Integer added = manifest.addedFilesCount();
    Integer existing = manifest.existingFilesCount();
    Integer deleted = manifest.deletedFilesCount();
    return added == null || existing == null || deleted == null
        ? null
        : Long.valueOf((long) added + existing + deleted);
  }

  private static ManifestReader<? extends ContentFile<?>> open(
      ManifestFile manifest, FileIO io, Map<Integer, PartitionSpec> specs) {
    return manifest.content() == ManifestContent.DATA
        ? ManifestFiles.read(manifest, io, specs)
        : ManifestFiles.readDeleteManifest(manifest, io, specs);
  }

  private List<FileFault> contentFaults() {
    List<FileFault> faults = new ArrayList<>();
    for (ManifestFile manifest : listed) {
      try (ManifestReader<? extends ContentFile<?>> entries = open(manifest, io, table.specs())) {
        for (ContentFile<?> file : entries) {
          add(faults, fault(io, file));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return faults;
  }

  private static @Nullable FileFault fault(FileIO io, ContentFile<?> file) throws IOException {
    StoredFile stored = new StoredFile(io, file.location(), file.fileSizeInBytes());
    boolean decodes = file.format() == FileFormat.PARQUET && file.keyMetadata() == null;
    return decodes ? stored.parquetFault() : stored.sizeFault();
  }

  private static void add(java.util.Collection<FileFault> faults, @Nullable FileFault fault) {
    if (fault != null) {
      faults.add(fault);
    }
  }
}
