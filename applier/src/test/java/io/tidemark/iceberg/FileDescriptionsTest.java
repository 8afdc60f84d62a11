package io.tidemark.iceberg;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.commit.WrittenFiles;
import java.nio.file.Path;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileDescriptionsTest {
  @TempDir private Path directory;

  @Test
  void nothingOfAFileIsLost() throws Exception {
    try (Replica job =
        new Replica(Catalogs.HADOOP.in(directory), Orders.table("region", "day(created_at)"))) {
      job.commit("c1", 1, Orders.put(1, 1, "", "a"), Orders.put(2, 1, "eu", "b"));
      WrittenFiles files = job.write(Orders.put(1, 2, "eu", "c"), Orders.delete(2, 2));
      Table table = job.foreign();

      for (DataFile file : FileDescriptions.readData(files.data(), table.specs())) {
        assertThat(file.specId()).isZero();
        assertThat(file.partition().get(0, String.class)).isEqualTo("eu");
        assertThat(file.recordCount()).isEqualTo(1);
        assertThat(file.fileSizeInBytes())
            .isEqualTo(table.io().newInputFile(file.location()).getLength());
        // The columns, and key and value of the map _kept, which have no counts.
        assertThat(file.columnSizes()).hasSize(8);
        assertThat(file.valueCounts()).hasSize(6).containsEntry(4, 1L);
        assertThat(file.nullValueCounts()).hasSize(6).containsEntry(4, 0L);
        assertThat(file.lowerBounds()).hasSize(6);
        assertThat(file.upperBounds()).hasSize(6);
        assertThat(file.splitOffsets()).hasSize(1);
        assertThat(file.sortOrderId()).isZero();
      }
      for (DeleteFile file : FileDescriptions.readDeletes(files.deletes(), table.specs())) {
        assertThat(file.equalityFieldIds()).containsExactly(1);
        assertThat(file.recordCount()).isEqualTo(1);
        assertThat(file.splitOffsets()).hasSize(1);
        assertThat(file.lowerBounds()).hasSize(1);
      }
      assertThat(
              FileDescriptions.write(
                  FileDescriptions.readData(files.data(), table.specs()), table.specs()))
          .isEqualTo(files.data());
      assertThat(
              FileDescriptions.write(
                  FileDescriptions.readDeletes(files.deletes(), table.specs()), table.specs()))
          .isEqualTo(files.deletes());
    }
  }
}
