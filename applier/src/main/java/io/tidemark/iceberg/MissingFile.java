package io.tidemark.iceberg;

import io.tidemark.failure.RefusedException;
import java.io.FileNotFoundException;
import java.nio.file.NoSuchFileException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.jspecify.annotations.Nullable;

/**
 * A file that a table names and that is not there, as the file system says itself. One that is away
 * says something else, and may be asked again.
 */
public final class MissingFile {
  private MissingFile() {}

  /**
   * What a failed read is refused with.
   *
   * @param identifier of the table
   * @return null if something else than a missing file made it fail
   */
  static @Nullable RefusedException of(String identifier, Throwable failure) {
    for (Throwable e = failure; e != null; e = e.getCause()) {
      if (e instanceof NotFoundException
          || e instanceof FileNotFoundException
          || e instanceof NoSuchFileException) {
        return new RefusedException(words("table " + identifier, e));
      }
    }
    return null;
  }

  /**
   * What it means and what to do.
   *
   * @param notFound the file system's own words, which name the file
   */
  public static String words(String table, Throwable notFound) {
    // Hadoop's says more than Iceberg's, and an object store's does not name the file.
    Throwable told = notFound.getCause() instanceof FileNotFoundException cause ? cause : notFound;
    return "A file of "
        + table
        + " is gone: "
        + told.getMessage()
        + ". What it held cannot be read any more. If its snapshot was expired at this moment, run"
        + " again. Otherwise restore the file, or roll the table back to a snapshot that has all of its"
        + " own, and run again; ./tidemark verify -c FILE names all files that are missing";
  }
}
