package io.tidemark.fault;

import io.tidemark.change.PrimaryKey;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.merge.BatchWriter;
import io.tidemark.merge.Placement;
import io.tidemark.merge.RowSplice;
import io.tidemark.merge.StoredRow;
import io.tidemark.merge.Winner;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.Map;

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
      public Map<PrimaryKey, StoredRow> read(List<Wanted> wanted) throws IOException {
        return writer.read(wanted);
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

  @Override
  public RowSplice splice() {
    return real.splice();
  }
}
