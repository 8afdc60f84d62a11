package io.tidemark.iceberg;

import io.tidemark.failure.RefusedException;
import java.io.FileNotFoundException;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.shaded.com.fasterxml.jackson.core.JsonProcessingException;
import org.jspecify.annotations.Nullable;

/**
 * A file that a table names and that is not there, or is not what was written. That is for sure: a
 * file that did not come because its store is away is no fault, and may be asked for again.
 *
 * @param location as the table names it, or the file system's own words that have it
 * @param found what is wrong with it; null if it is not there
 */
public record FileFault(String location, @Nullable String found) {
  private static final String MEND =
      "estore the file, or roll the table back to a snapshot that has all of its own whole, and run"
          + " again; ./tidemark verify -c FILE names all files that are missing or damaged";

  /**
   * What a read is refused with.
   *
   * @param snapshot id of the one that was read; null for a file that no snapshot may have yet
   */
  RefusedException refusal(String table, @Nullable Long snapshot) {
    String of = snapshot == null ? ", of no snapshot yet" : ", of snapshot " + snapshot;
    return new RefusedException(words("table " + table, new FileFault(location + of, found)));
  }

  /**
   * What it means and what to do.
   *
   * @param table as the sentence goes on
   */
  private static String words(String table, FileFault fault) {
    return fault.found == null
        ? "A file of "
            + table
            + " is gone: "
            + fault.location
            + ". What it held cannot be read any more. If its snapshot was expired at this moment,"
            + " run again. Otherwise r"
            + MEND
        : "A file of "
            + table
            + " is damaged: "
            + fault.location
            + ": "
            + fault.found
            + ". What it held cannot be read any more. R"
            + MEND;
  }

  /**
   * What a missing file means and what to do, where only the exception tells of it.
   *
   * @param notFound the file system's own words, which name the file
   */
  public static String words(String table, Throwable notFound) {
    // Hadoop's says more than Iceberg's, and an object store's does not name the file.
    Throwable told = notFound.getCause() instanceof FileNotFoundException cause ? cause : notFound;
    return words(table, new FileFault(String.valueOf(told.getMessage()), null));
  }

  /**
   * What is wrong with a table's metadata file, which only the catalog knows.
   *
   * @param failure of loading the table
   * @return null if nothing is, for all that it tells
   */
  static @Nullable RefusedException ofMetadata(String table, Throwable failure) {
    boolean gone =
        failure instanceof NotFoundException
            || (failure instanceof ValidationException && begins(failure, "Metadata file"));
    Throwable damage = gone ? failure : damage(failure);
    return damage == null
        ? null
        : new RefusedException(
            "The metadata file of table "
                + table
                + " is "
                + (gone ? "gone: " : "damaged: ")
                + failure.getMessage()
                + (damage == failure ? "" : ": " + firstLine(damage))
                + ". Restore it, or have the catalog name the metadata file before it, which is the"
                + " table as it was before its last commit. Then start without state (./tidemark run"
                + " -c FILE)");
  }

  private static @Nullable Throwable damage(Throwable failure) {
    for (Throwable e = failure; e != null; e = e.getCause()) {
      if (e instanceof JsonProcessingException || e instanceof ChecksumException) {
        return e;
      }
    }
    boolean parsed = failure instanceof IllegalArgumentException;
    return parsed && begins(failure, "Cannot parse") ? failure : null;
  }

  private static boolean begins(Throwable failure, String words) {
    return String.valueOf(failure.getMessage()).startsWith(words);
  }

  /** What a decoder says, without what it quotes of the content in further lines. */
  static String firstLine(Throwable e) {
    String message = e.getMessage();
    return message == null || message.isBlank()
        ? e.getClass().getSimpleName()
        : message.strip().lines().findFirst().orElse("");
  }
}
