package io.tidemark.hadoop;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Hadoop's local file system, but for the processes that it starts where its native library is not
 * installed: two {@code chmod} for each file that is written, the file's and its checksums', and an
 * {@code ls} for each that is listed. Named in {@code core-site.xml}, for all tests.
 */
public final class ForklessFileSystem extends LocalFileSystem {

  /** Made by Hadoop. */
  public ForklessFileSystem() {
    super(new Raw());
  }

  private static final class Raw extends RawLocalFileSystem {

    @Override
    public void setPermission(Path path, FsPermission permission) throws IOException {
      try {
        Files.setPosixFilePermissions(
            pathToFile(path).toPath(), PosixFilePermissions.fromString(permission.toString()));
      } catch (NoSuchFileException e) {
        throw (IOException) new FileNotFoundException(String.valueOf(path)).initCause(e);
      }
    }

    /** Without owner and permissions, which nobody asks for. */
    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
      FileStatus status = super.getFileStatus(path);
      return new FileStatus(
          status.getLen(),
          status.isDirectory(),
          status.getReplication(),
          status.getBlockSize(),
          status.getModificationTime(),
          status.getPath());
    }
  }
}
