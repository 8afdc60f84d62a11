package io.tidemark.iceberg;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.iceberg.inmemory.InMemoryFileIO;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.SeekableInputStream;

/** A store of files that are all whole, and do not always come. */
public final class AwayFileIO implements FileIO {
  private static final long serialVersionUID = 1L;

  /** How a store fails for a while. */
  enum Failure {
    /** As an object store that is asked too often, with an exception of its client's own. */
    REFUSES {
      @Override
      void onSight() {
        throw new IllegalStateException("503 Slow Down");
      }
    },
    /** Before the first byte. */
    RESETS {
      @Override
      void onOpening() {
        throw new UncheckedIOException(new java.net.SocketException("Connection reset"));
      }
    },
    /** In the middle of the bytes. */
    BREAKS_OFF {
      @Override
      int atTheMiddle() throws IOException {
        throw new java.io.EOFException("Premature end of body");
      }
    },
    /** The same, and nobody says so. */
    ENDS_EARLY;

    void onSight() {}

    void onOpening() {}

    int atTheMiddle() throws IOException {
      return -1;
    }
  }

  static volatile Failure failure = Failure.ENDS_EARLY;
  static volatile Predicate<String> fails = location -> false;

  private final InMemoryFileIO files = new InMemoryFileIO();

  @Override
  public void initialize(Map<String, String> properties) {
    files.initialize(properties);
  }

  @Override
  public InputFile newInputFile(String path) {
    InputFile file = files.newInputFile(path);
    return fails.test(path) ? new Failing(file) : file;
  }

  @Override
  public OutputFile newOutputFile(String path) {
    return files.newOutputFile(path);
  }

  @Override
  public void deleteFile(String path) {
    files.deleteFile(path);
  }

  private record Failing(InputFile file) implements InputFile {
    @Override
    public long getLength() {
      failure.onSight();
      return file.getLength();
    }

    @Override
    public boolean exists() {
      failure.onSight();
      return file.exists();
    }

    @Override
    public String location() {
      return file.location();
    }

    @Override
    public SeekableInputStream newStream() {
      failure.onSight();
      failure.onOpening();
      return new Half(file.newStream(), file.getLength() / 2);
    }
  }

  private static final class Half extends SeekableInputStream {
    private final SeekableInputStream in;
    private final long middle;

    private Half(SeekableInputStream in, long middle) {
      this.in = in;
      this.middle = middle;
    }

    @Override
    public long getPos() throws IOException {
      return in.getPos();
    }

    @Override
    public void seek(long position) throws IOException {
      in.seek(position);
    }

    @Override
    public int read() throws IOException {
      return in.getPos() < middle ? in.read() : failure.atTheMiddle();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      long left = middle - in.getPos();
      return left <= 0
          ? failure.atTheMiddle()
          : in.read(bytes, offset, (int) Math.min(length, left));
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
