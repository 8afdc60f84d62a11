package io.tidemark.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarehouseTest {
  @TempDir private Path dir;

  @Test
  void aFileInTheWayIsNamed() throws IOException {
    Path file = Files.createFile(dir.resolve("taken"));

    assertThat(Warehouse.problem(file.resolve("lake").toUri().toString()))
        .isEqualTo(file + " is no directory");
    assertThat(Warehouse.problem(file.resolve("lake").toString()))
        .isEqualTo(file + " is no directory");
  }

  @Test
  void whatARunWouldMakeAndWhatOnlyWritingTellsIsNoProblem() {
    assertThat(Warehouse.problem(dir.resolve("not/there/yet").toUri().toString())).isNull();
    assertThat(Warehouse.problem("s3://bucket/lake")).isNull();
    assertThat(Warehouse.problem(null)).isNull();
  }
}
