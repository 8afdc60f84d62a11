package io.tidemark.iceberg;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetReaders;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.inmemory.InMemoryInputFile;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.parquet.ParquetSchemaUtil;
import org.apache.iceberg.shaded.org.apache.parquet.ParquetReadOptions;
import org.apache.iceberg.shaded.org.apache.parquet.column.ColumnDescriptor;
import org.apache.iceberg.shaded.org.apache.parquet.column.page.PageReadStore;
import org.apache.iceberg.shaded.org.apache.parquet.column.page.PageReader;
import org.apache.iceberg.shaded.org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.iceberg.shaded.org.apache.parquet.io.LocalInputFile;
import org.jspecify.annotations.Nullable;

/**
 * Whether a file is what was written. An exception of a reader does not tell: a file that was cut
 * and a store that breaks off come as the same classes, and a decompressor's is an {@link
 * IOException} too. So a file is fetched whole before it is looked at. Where it does not come, its
 * store is away, and nothing is known. Where it came, what it is decides, and no store can be away
 * any more.
 */
final class StoredFile {
  private final FileIO io;
  private final String location;
  private final long written;

  /**
   * A file.
   *
   * @param written how many bytes it had then; -1 if nobody remembers
   */
  StoredFile(FileIO io, String location, long written) {
    this.io = io;
    this.location = location;
    this.written = written;
  }

  /** Looks at the bytes of a file that fits into memory. */
  interface Look {
    /**
     * Decodes.
     *
     * @throws IOException or any other exception if they are not what was written
     */
    void at(byte[] bytes) throws IOException;
  }

  /**
   * What is wrong with it.
   *
   * @param look at its content
   * @return null if nothing is
   * @throws IOException or a runtime exception of the store's if it did not come
   */
  @Nullable FileFault fault(Look look) throws IOException {
    InputFile file = present();
    if (file == null) {
      return new FileFault(location, null);
    }
    FileFault size = size(file);
    if (size != null) {
      return size;
    }
    byte[] bytes;
    try (InputStream in = file.newStream()) {
      bytes = in.readAllBytes();
    } catch (ChecksumException e) {
      return damaged("its file system's checksum does not fit: " + FileFault.firstLine(e));
    }
    requireAll(bytes.length, file);
    try {
      look.at(bytes);
      return null;
    } catch (IOException | RuntimeException e) {
      return damaged(FileFault.firstLine(e));
    }
  }

  /** The same of a Parquet file, whose columns, pages and their checksums are looked at. */
  @Nullable FileFault parquetFault() throws IOException {
    InputFile file = present();
    if (file == null) {
      return new FileFault(location, null);
    }
    FileFault size = size(file);
    if (size != null) {
      return size;
    }
    Path copy = Files.createTempFile("tidemark-", ".parquet");
    try {
      try (InputStream in = file.newStream()) {
        Files.copy(in, copy, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
      } catch (ChecksumException e) {
        return damaged("its file system's checksum does not fit: " + FileFault.firstLine(e));
      }
      requireAll(Files.size(copy), file);
      try {
        decode(copy);
        return null;
      } catch (IOException | RuntimeException e) {
        return damaged("its bytes are all there and cannot be decoded: " + words(e, copy));
      }
    } finally {
      Files.delete(copy);
    }
  }

  /** Only whether it is there, with the bytes that it had; null if it is. */
  @Nullable FileFault sizeFault() {
    InputFile file = present();
    return file == null ? new FileFault(location, null) : size(file);
  }

  private @Nullable InputFile present() {
    try {
      InputFile file = io.newInputFile(location);
      return file.exists() ? file : null;
    } catch (NotFoundException e) {
      return null; // some find it out earlier
    }
  }

  private @Nullable FileFault size(InputFile file) {
    long found = file.getLength();
    return written < 0 || found == written
        ? null
        : damaged("it has " + found + " bytes, and had " + written + " when it was written");
  }

  private static void requireAll(long came, InputFile file) throws IOException {
    if (came != file.getLength()) {
      throw new IOException(
          "Only " + came + " of " + file.getLength() + " bytes of " + file.location() + " came");
    }
  }

  private FileFault damaged(String found) {
    return new FileFault(location, found);
  }

  private static void decode(Path file) throws IOException {
    Schema schema;
    try (ParquetFileReader reader =
        ParquetFileReader.open(
            new LocalInputFile(file),
            ParquetReadOptions.builder().usePageChecksumVerification().build())) {
      schema = ParquetSchemaUtil.convert(reader.getFileMetaData().getSchema());
      for (PageReadStore group = reader.readNextRowGroup();
          group != null;
          group = reader.readNextRowGroup()) {
        for (ColumnDescriptor column : reader.getFileMetaData().getSchema().getColumns()) {
          PageReader pages = group.getPageReader(column);
          var unused = pages.readDictionaryPage();
          while (pages.readPage() != null) {
            continue; // read, and so held against its checksum
          }
        }
      }
    }
    try (CloseableIterable<Record> rows =
        Parquet.read(org.apache.iceberg.Files.localInput(file.toFile()))
            .project(schema)
            .createReaderFunc(type -> GenericParquetReaders.buildReader(schema, type))
            .build()) {
      rows.forEach(row -> {});
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** The copy is of no use to anybody. */
  private String words(Throwable e, Path copy) {
    Throwable innermost = e;
    while (innermost.getCause() != null && innermost.getCause() != innermost) {
      innermost = innermost.getCause();
    }
    return FileFault.firstLine(innermost).replace(copy.toString(), location);
  }

  /** Gives readers of Iceberg's the bytes that came. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Fetched(String location, byte[] bytes) implements FileIO {
    private static final long serialVersionUID = 1L;

    @Override
    public InputFile newInputFile(String path) {
      return new InMemoryInputFile(path, bytes);
    }

    @Override
    public OutputFile newOutputFile(String path) {
      throw new UnsupportedOperationException(location);
    }

    @Override
    public void deleteFile(String path) {
      throw new UnsupportedOperationException(location);
    }
  }
}
