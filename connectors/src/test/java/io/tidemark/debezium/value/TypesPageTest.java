package io.tidemark.debezium.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class TypesPageTest {

  /** All that Debezium 3.7 and Kafka Connect name, after their sources and not after our map. */
  private static final List<String> LOGICAL_NAMES =
      List.of(
          "data.Date",
          "data.Decimal",
          "data.Time",
          "data.Timestamp",
          "data.Bits",
          "data.DoubleVector",
          "data.Enum",
          "data.EnumSet",
          "data.FloatVector",
          "data.Json",
          "data.Ltree",
          "data.SparseDoubleVector",
          "data.Tsvector",
          "data.Uuid",
          "data.VariableScaleDecimal",
          "data.Xml",
          "data.geometry.Circle",
          "data.geometry.Geography",
          "data.geometry.Geometry",
          "data.geometry.Line",
          "data.geometry.Point",
          "time.Date",
          "time.Interval",
          "time.IsoDate",
          "time.IsoTime",
          "time.IsoTimestamp",
          "time.MicroDuration",
          "time.MicroTime",
          "time.MicroTimestamp",
          "time.NanoDuration",
          "time.NanoTime",
          "time.NanoTimestamp",
          "time.StructuredDate",
          "time.StructuredDuration",
          "time.StructuredTime",
          "time.StructuredTimestamp",
          "time.StructuredZonedTime",
          "time.StructuredZonedTimestamp",
          "time.Time",
          "time.Timestamp",
          "time.Year",
          "time.ZonedTime",
          "time.ZonedTimestamp");

  @Test
  void theCommittedPageIsWhatTheCodeDoes() throws IOException {
    Path page = root().resolve("docs/types.md");
    if (Boolean.getBoolean("tidemark.docs.write")) {
      Files.writeString(page, TypesPage.render());
    }

    assertThat(page)
        .as("made by the test TypesPageTest with -Dtidemark.docs.write=true")
        .hasContent(TypesPage.render());
  }

  @Test
  void noLogicalNameIsLeftOut() {
    String page = TypesPage.render();

    for (String name : LOGICAL_NAMES) {
      assertThat(page).contains("| `" + name + "` | ");
    }
    assertThat(ConnectTypes.names())
        .allSatisfy(
            name ->
                assertThat(LOGICAL_NAMES)
                    .contains(
                        name.replaceFirst(
                            "^(io\\.debezium|org\\.apache\\.kafka\\.connect)\\.", "")));
  }

  /** None of them comes as a struct of its fields, which would say less than its name. */
  @Test
  void everyStructuredTimeIsRefusedByName() {
    String page = TypesPage.render();

    for (String name : LOGICAL_NAMES) {
      String refused =
          "| `%1$s` | refused: type \"io.debezium.%1$s\" is not supported |".formatted(name);
      assertThat(page.contains(refused)).as(name).isEqualTo(name.startsWith("time.Structured"));
    }
  }

  /** Maven starts tests in the module, an IDE perhaps in the project. */
  private static Path root() {
    Path here = Path.of("").toAbsolutePath();
    while (!Files.exists(here.resolve(".editorconfig"))) {
      here = here.getParent();
    }
    return here;
  }
}
