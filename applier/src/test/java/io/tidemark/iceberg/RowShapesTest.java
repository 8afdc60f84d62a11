package io.tidemark.iceberg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.row.Column;
import io.tidemark.row.ColumnType.Simple;
import io.tidemark.row.RowShape;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowShapesTest {

  /**
   * Names that Iceberg gives to columns of files, and such as tables have for deletes of theirs.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {"_deleted", "__deleted", "_file", "_pos", "_partition", "_row_id", "a.b", "ID"})
  void aSourcesColumnIsKeptWhateverItIsCalled(String name) {
    RowShape shape = shape(name);

    assertThat(RowShapes.of(RowShapes.table(shape))).isEqualTo(shape);
  }

  @ParameterizedTest
  @ValueSource(strings = {"_commit_version", "_source_ts", "_kept"})
  void aSourcesColumnThatIsCalledAsOneOfTheJobsIsRefused(String name) {
    assertThatThrownBy(() -> RowShapes.table(shape(name))).hasMessageContaining(name);
  }

  private static RowShape shape(String name) {
    return new RowShape(
        List.of(new Column("id", Simple.LONG, true), new Column(name, Simple.STRING, false)));
  }
}
