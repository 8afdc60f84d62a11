package io.tidemark.iceberg;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.iceberg.shaded.org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.iceberg.shaded.org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.iceberg.shaded.org.apache.parquet.io.LocalInputFile;

/** What becomes of a file on a disk that lies. */
enum Damage {
  GONE {
    @Override
    void to(Path file) throws IOException {
      Files.delete(file);
    }
  },
  EMPTY {
    @Override
    byte[] of(byte[] whole) {
      return new byte[0];
    }
  },
  HALF {
    @Override
    byte[] of(byte[] whole) {
      return Arrays.copyOf(whole, whole.length / 2);
    }
  },
  /** Of Parquet its magic number and where its footer lies, of Avro half a mark of a block. */
  END_CUT {
    @Override
    byte[] of(byte[] whole) {
      return Arrays.copyOf(whole, whole.length - 8);
    }
  },
  /** All of the last block, of what has few. */
  LAST_BLOCK_CUT {
    @Override
    byte[] of(byte[] whole) {
      return Arrays.copyOf(whole, whole.length - 40);
    }
  },
  /** As a file system leaves what it had not written before the power went. */
  END_IS_ZEROS {
    @Override
    byte[] of(byte[] whole) {
      byte[] damaged = whole.clone();
      Arrays.fill(damaged, lastThird(whole), whole.length, (byte) 0);
      return damaged;
    }
  },
  /** Of Parquet in the first column's data; nothing else has pages, or checksums of its own. */
  BIT_FLIPPED_IN_A_PAGE {
    @Override
    void to(Path file) throws IOException {
      byte[] damaged = Files.readAllBytes(file);
      damaged[file.toString().endsWith(".parquet") ? endOfFirstColumn(file) - 1 : 60] ^= 0x10;
      Files.write(file, damaged);
    }
  };

  private static int endOfFirstColumn(Path file) throws IOException {
    try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file))) {
      ColumnChunkMetaData column = reader.getFooter().getBlocks().get(0).getColumns().get(0);
      return (int) (column.getStartingPos() + column.getTotalSize());
    }
  }

  /** Damages a file of the local file system, whose checksum is lost too. */
  void to(Path file) throws IOException {
    Files.write(file, of(Files.readAllBytes(file)));
  }

  byte[] of(byte[] whole) {
    return whole;
  }

  /** A manifest's entries, and what its list has of it, lie behind its schema. */
  private static int lastThird(byte[] whole) {
    return whole.length - whole.length / 10;
  }

  /** Hadoop's own, which notices most of it, and which other file systems do not have. */
  static void forgetChecksums(Path directory) {
    try (var files = Files.walk(directory)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".crc")).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
