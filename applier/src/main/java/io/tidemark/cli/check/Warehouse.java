package io.tidemark.cli.check;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Whether a warehouse on a local disk can be written; of others only writing would tell. */
final class Warehouse {
  private Warehouse() {}

  /**
   * What keeps files from being written there.
   *
   * @param location of the warehouse; null for a catalog that has it elsewhere
   * @return null if nothing does, or that cannot be known
   */
  static @Nullable String problem(@Nullable String location) {
    Path path = location == null ? null : local(location);
    if (path == null) {
      return null;
    }
    // A run makes the directories that are missing.
    Path existing = path;
    while (existing.getParent() != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    if (!Files.isDirectory(existing)) {
      return existing + " is no directory";
    }
    return Files.isWritable(existing)
        ? null
        : existing + " cannot be written by " + System.getProperty("user.name");
  }

  private static @Nullable Path local(String location) {
    if (location.startsWith("/")) {
      return Path.of(location);
    }
    try {
      URI uri = URI.create(location);
      return "file".equals(uri.getScheme()) && uri.getPath() != null
          ? Path.of(uri.getPath())
          : null;
    } catch (IllegalArgumentException e) {
      return null; // the catalog says what is wrong with it
    }
  }
}
