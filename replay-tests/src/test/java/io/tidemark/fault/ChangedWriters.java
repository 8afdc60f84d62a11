package io.tidemark.fault;

import io.tidemark.commit.WrittenFiles;
import io.tidemark.merge.BatchWriter;
import io.tidemark.merge.Placement;
import io.tidemark.merge.Winner;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;

/** Writers that write in another way than the real ones. */
public record ChangedWriters(BatchWriter.Factory real, Writing writing)
    implements BatchWriter.Factory {
  private static final long serialVersionUID = 1L;

  /** How a batch is written, with what the real writer can do. */
  public interface Writing extends Serializable {
    WrittenFiles write(BatchWriter real, List<Winner> batch) throws IOException;
  }

  @Override
  public BatchWriter open(int subtask, int attempt) {
    BatchWriter writer = real.open(subtask, attempt);
    return new BatchWriter() {
      @Override
      public WrittenFiles write(List<Winner> batch) throws IOException {
        return writing.write(writer, batch);
      }

      @Override
      public void close() throws IOException {
        writer.close();
      }
    };
  }

  @Override
  public Placement placement() {
    return real.placement();
  }
}
