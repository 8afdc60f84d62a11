package io.tidemark.debezium.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TypesPageTest {

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

    assertThat(ConnectTypes.names())
        .allSatisfy(
            name ->
                assertThat(page)
                    .contains(
                        name.replace("io.debezium.", "").replace("org.apache.kafka.connect.", "")));
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
