package io.tidemark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.bench.ContentComparison.Differences;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContentComparisonTest {

  @Test
  void equalRowsInAnyOrderAreEqual() {
    assertThat(differences(List.of(row(1, "a"), row(2, null)), List.of(row(2, null), row(1, "a"))))
        .isEqualTo(new Differences(0, List.of()));
  }

  @Test
  void missingRowIsFound() {
    assertThat(differences(List.of(row(1, "a"), row(2, "b")), List.of(row(1, "a"))))
        .isEqualTo(new Differences(1, List.of("key 2 is missing")));
  }

  @Test
  void surplusRowIsFound() {
    assertThat(differences(List.of(row(1, "a")), List.of(row(1, "a"), row(2, "b"))))
        .isEqualTo(
            new Differences(1, List.of("key 2 is not expected, or is there more than once")));
  }

  @Test
  void changedColumnIsFound() {
    assertThat(differences(List.of(row(1, "a")), List.of(row(1, "b"))))
        .isEqualTo(new Differences(1, List.of("key 1 column name: expected a, found b")));
  }

  @Test
  void nullIsNoValue() {
    assertThat(differences(List.of(row(1, null)), List.of(row(1, "null"))).rows()).isEqualTo(1);
  }

  @Test
  void rowThatComesTwiceIsFoundOnEitherSide() {
    assertThat(differences(List.of(row(1, "a")), List.of(row(1, "a"), row(1, "a"))).rows())
        .isEqualTo(1);
    assertThat(differences(List.of(row(1, "a"), row(1, "a")), List.of(row(1, "a"))).rows())
        .isEqualTo(1);
  }

  @Test
  void examplesAreFewAndTheCountIsWhole() {
    List<List<Object>> many =
        java.util.stream.IntStream.range(0, 20).mapToObj(i -> row(i, "a")).toList();
    Differences differences = differences(many, List.of());
    assertThat(differences.rows()).isEqualTo(20);
    assertThat(differences.examples()).hasSize(ContentComparison.MAX_EXAMPLES);
  }

  private static Differences differences(List<List<Object>> expected, List<List<Object>> found) {
    ContentComparison comparison = new ContentComparison(List.of("id", "name"));
    expected.forEach(comparison::expect);
    found.forEach(comparison::find);
    return comparison.end();
  }

  private static List<Object> row(Object... values) {
    return Arrays.asList(values);
  }
}
