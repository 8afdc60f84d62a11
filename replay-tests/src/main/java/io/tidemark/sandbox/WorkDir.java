package io.tidemark.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** A directory that is deleted on close, unless it shall be kept. */
final class WorkDir implements AutoCloseable {

  private final Path path;
  private final boolean keep;

  private WorkDir(Path path, boolean keep) {
    this.path = path;
    this.keep = keep;
  }

  /** A new directory in the system's directory for temporary files. */
  static WorkDir create(String prefix, boolean keep) {
    try {
      return new WorkDir(Files.createTempDirectory(prefix), keep);
    } catch (IOException e) {
      throw new UncheckedIOException("No directory could be created for the run", e);
    }
  }

  Path path() {
    return path;
  }

  boolean keep() {
    return keep;
  }

  @Override
  public void close() {
    if (keep) {
      return;
    }
    try {
      Files.walkFileTree(path, new Deletion());
    } catch (IOException e) {
      throw new UncheckedIOException("Directory " + path + " could not be deleted", e);
    }
  }

  /** Files that vanish meanwhile are fine. */
  private static final class Deletion extends SimpleFileVisitor<Path> {

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
        throws IOException {
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
