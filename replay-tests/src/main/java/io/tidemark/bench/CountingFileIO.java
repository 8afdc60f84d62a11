package io.tidemark.bench;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.hadoop.HadoopFileIO;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.SeekableInputStream;

/**
 * Iceberg's access to files, which counts the bytes that are read. Hadoop's own count leaves out
 * what its local file system reads by vectors, as Parquet does: nearly all.
 */
public final class CountingFileIO implements FileIO {
  private static final AtomicLong READ = new AtomicLong();

  private final HadoopFileIO files = new HadoopFileIO(new Configuration());

  /** Bytes that were read in this process so far. */
  static long bytesRead() {
    return READ.get();
  }

  @Override
  public void initialize(Map<String, String> properties) {
    files.initialize(properties);
  }

  @Override
  public Map<String, String> properties() {
    return files.properties();
  }

  @Override
  public InputFile newInputFile(String path) {
    return new Input(files.newInputFile(path));
  }

  @Override
  public InputFile newInputFile(String path, long length) {
    return new Input(files.newInputFile(path, length));
  }

  @Override
  public OutputFile newOutputFile(String path) {
    return files.newOutputFile(path);
  }

  @Override
  public void deleteFile(String path) {
    files.deleteFile(path);
  }

  @Override
  public void close() {
    files.close();
  }

  private record Input(InputFile file) implements InputFile {
    @Override
    public long getLength() {
      return file.getLength();
    }

    @Override
    public SeekableInputStream newStream() {
      return new Stream(file.newStream());
    }

    @Override
    public String location() {
      return file.location();
    }

    @Override
    public boolean exists() {
      return file.exists();
    }
  }

  private static final class Stream extends SeekableInputStream {
    private final SeekableInputStream in;

    Stream(SeekableInputStream in) {
      this.in = in;
    }

    private static int count(int bytes) {
      READ.addAndGet(Math.max(0, bytes));
      return bytes;
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
      int next = in.read();
      count(next < 0 ? 0 : 1);
      return next;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return count(in.read(bytes, offset, length));
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
