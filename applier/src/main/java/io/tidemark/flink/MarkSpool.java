package io.tidemark.flink;

import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import io.tidemark.commit.LiveRows;
import io.tidemark.merge.Seed;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.core.memory.DataOutputViewStreamWrapper;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Marks in temporary files, one for each subtask. They live no longer than the process, so their
 * bytes need no version.
 */
final class MarkSpool implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MarkSpool.class);
  private static final int BUFFER_BYTES = 1 << 16;
  private static final PrimaryKeySerializer KEYS = new PrimaryKeySerializer();
  private static final MarkSerializer MARKS = new MarkSerializer();

  private final List<@Nullable Part> parts;

  private MarkSpool(List<@Nullable Part> parts) {
    this.parts = parts;
  }

  /**
   * Reads a seed into parts.
   *
   * @param directory on local disk; nothing is left there if this fails
   */
  static MarkSpool fill(Seed seed, int maxParallelism, int parallelism, Path directory)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    Files.createDirectories(directory);
    List<Writer> writers = new ArrayList<>();
    List<@Nullable Part> parts = new ArrayList<>();
    try {
      for (int i = 0; i < parallelism; i++) {
        writers.add(new Writer(Files.createTempFile(directory, "tidemark-marks-", ".part")));
      }
      LiveRows rows =
          seed.read(
              (key, mark) ->
                  writers
                      .get(
                          KeyGroupRangeAssignment.assignKeyToParallelOperator(
                              key, maxParallelism, parallelism))
                      .add(key, mark));
      long marks = 0;
      for (Writer writer : writers) {
        parts.add(writer.finish(rows));
        marks += writer.count;
      }
      LOG.info(
          "Read {} marks of the table in {} ms",
          marks,
          Duration.ofNanos(System.nanoTime() - start).toMillis());
      return new MarkSpool(parts);
    } catch (UncheckedIOException e) {
      writers.forEach(Writer::discard);
      throw new IOException("The marks could not be spooled to " + directory, e);
    } catch (IOException | InterruptedException | RuntimeException e) {
      writers.forEach(Writer::discard);
      throw e;
    }
  }

  /** The part of one subtask; null if it was taken before. */
  @Nullable Part take(int subtask) {
    return parts.set(subtask, null);
  }

  @Override
  public void close() {
    for (Part part : parts) {
      if (part != null) {
        part.close();
      }
    }
  }

  /**
   * A finished part; its file goes when it is closed.
   *
   * @param count of the marks in it
   * @param rows all rows of the table, whosever part their marks are in
   */
  record Part(Path file, long count, LiveRows rows) implements AutoCloseable {

    void forEach(BiConsumer<PrimaryKey, Mark> marks) throws IOException {
      try (DataInputViewStreamWrapper in =
          new DataInputViewStreamWrapper(
              new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES))) {
        for (long i = 0; i < count; i++) {
          marks.accept(KEYS.deserialize(in), MARKS.deserialize(in));
        }
      }
    }

    @Override
    public void close() {
      delete(file);
    }
  }

  /** Takes marks from several threads. */
  private static final class Writer {
    private final Path file;
    private final DataOutputViewStreamWrapper out;
    private long count;

    private Writer(Path file) throws IOException {
      this.file = file;
      this.out =
          new DataOutputViewStreamWrapper(
              new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES));
    }

    private synchronized void add(PrimaryKey key, Mark mark) {
      try {
        KEYS.serialize(key, out);
        MARKS.serialize(mark, out);
        count++;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private synchronized Part finish(LiveRows rows) throws IOException {
      out.close();
      return new Part(file, count, rows);
    }

    private synchronized void discard() {
      try {
        out.close();
      } catch (IOException e) {
        LOG.warn("Could not close {}", file, e);
      }
      delete(file);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.warn("Could not delete {}", file, e);
    }
  }
}
