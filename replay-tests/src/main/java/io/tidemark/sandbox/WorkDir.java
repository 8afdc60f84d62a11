package io.tidemark.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The directory of a run. What is not kept is deleted on close. */
final class WorkDir implements AutoCloseable {

  private final Path path;
  private Set<Path> kept = Set.of();

  private WorkDir(Path path) {
    this.path = path;
  }

  /** A new directory in the system's directory for temporary files. */
  static WorkDir create(String prefix) {
    try {
      return new WorkDir(Files.createTempDirectory(prefix));
    } catch (IOException e) {
      throw new UncheckedIOException("No directory could be created for the run", e);
    }
  }

  Path path() {
    return path;
  }

  /** Lets files and directories that lie directly in it stay. */
  void keep(Path... paths) {
    kept = Set.of(paths);
  }

  @Override
  public void close() {
    try (Stream<Path> entries = Files.list(path)) {
      for (Path entry : entries.filter(entry -> !kept.contains(entry)).toList()) {
        Files.walkFileTree(entry, new Deletion());
      }
      if (kept.isEmpty()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Directory " + path + " could not be deleted", e);
    }
  }

  /** Files that vanish meanwhile are fine. */
  private static final class Deletion extends SimpleFileVisitor<Path> {

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (e instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw e;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
        throws IOException {
      if (e != null) {
        throw e;
      }
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
