package io.tidemark.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ConfigPageTest {

  @Test
  void theCommittedPageIsWhatTheDeclarationsSay() throws IOException {
    Path page = root().resolve("docs/configuration.md");
    if (Boolean.getBoolean("tidemark.docs.write")) {
      Files.createDirectories(page.getParent());
      Files.writeString(page, ConfigPage.render());
    }

    assertThat(page)
        .as("made by the test ConfigPageTest with -Dtidemark.docs.write=true")
        .hasContent(ConfigPage.render());
  }

  @Test
  void everyStandInFits() {
    // Section makes a stand-in of each key that is absent; one that did not fit would throw.
    Section nothing = new Section("", Tree.Mapping.empty(1), new Problems());

    assertThat(ConfigPage.allKeys()).allSatisfy(key -> assertThat(nothing.get(key)).isNotNull());
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
