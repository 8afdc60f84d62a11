package io.tidemark.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What lies in a warehouse. Nothing is ever expired in a drain, so this is what was written.
 *
 * @param parquetFiles data and delete files
 * @param bytes of all files, metadata included
 */
record Footprint(long parquetFiles, long bytes) {

  static Footprint of(Path warehouse) throws IOException {
    long parquetFiles = 0;
    long bytes = 0;
    try (Stream<Path> paths = Files.walk(warehouse)) {
      for (Path file : paths.filter(Files::isRegularFile).toList()) {
        String name = file.getFileName().toString();
        // Checksums that Hadoop puts beside each file on a local disk, and on no other store.
        if (!name.endsWith(".crc")) {
          bytes += Files.size(file);
          parquetFiles += name.endsWith(".parquet") ? 1 : 0;
        }
      }
    }
    return new Footprint(parquetFiles, bytes);
  }
}
