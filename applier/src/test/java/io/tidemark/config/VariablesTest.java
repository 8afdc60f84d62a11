package io.tidemark.config;

import static io.tidemark.config.SettingsFixture.MINIMAL;
import static io.tidemark.config.SettingsFixture.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VariablesTest {

  @Test
  void environmentAndFilesFillValues(@TempDir Path dir) throws Exception {
    Path file = Files.writeString(dir.resolve("pw"), "a$1\\b\n");
    Settings settings =
        parse("name: '<${A}-${file:" + file + "}-$${A}-$1>'", Map.of("A", "x${B}\\$"));

    assertThat(settings.name()).isEqualTo("<x${B}\\$-a$1\\b-${A}-$1>");
  }

  @Test
  void aFilledValueIsCheckedButNotShown() {
    assertThat(
            refusal(
                () ->
                    parse(
                        "gate: {memory: '${A}'}\nflink: {parallelism.default: '${A}'}",
                        Map.of("A", "hush"))))
        .isEqualTo(
            """
            The configuration has 2 problems:
              gate.memory (line 7): found "${A}", expected a size such as 64mb or 1gb
              flink.parallelism.default (line 8): found "${A}", expected a number from 1 to 32768
            """);
  }

  @Test
  void everyVariableThatCannotBeFilledIsReported(@TempDir Path dir) throws Exception {
    Files.write(dir.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe});
    String text =
        """
        name: ${NO}${ALSO_NO}
        gate: {memory: '${NO}'}
        flink: {a: '${file:DIR/no}', b: '${file:DIR/binary}', c: '${file:DIR}', d: '${x y}', e: '${A'}
        """
            .replace("DIR", dir.toString());

    assertThat(refusal(() -> parse(text, Map.of())))
        .isEqualTo(
            """
            The configuration has 8 problems:
              name (line 7): found ${NO}, expected an environment variable of that name to be set
              name (line 7): found ${ALSO_NO}, expected an environment variable of that name to be set
              gate.memory (line 8): found ${NO}, expected an environment variable of that name to be set
              flink.a (line 9): found ${file:DIR/no}, expected a readable file of that name: there is none
              flink.b (line 9): found ${file:DIR/binary}, expected a readable file of that name: it is not UTF-8 text
              flink.c (line 9): found ${file:DIR}, expected a readable file of that name: there is none
              flink.d (line 9): found ${x y}, expected ${NAME} or ${file:/path}, or $${ for the text ${
              flink.e (line 9): found ${ without }, expected ${NAME} or ${file:/path}, or $${ for the text ${
            """
                .replace("DIR", dir.toString()));
  }

  private static Settings parse(String more, Map<String, String> env) {
    return Settings.parse(MINIMAL + more, env);
  }
}
