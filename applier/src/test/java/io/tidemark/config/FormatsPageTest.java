package io.tidemark.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.debezium.value.ColumnSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code docs/formats.md} has configurations to copy. */
class FormatsPageTest {
  private static final Pattern YAML = Pattern.compile("(?ms)^```yaml\n(.*?)^```$");
  private static final Pattern ADDED =
      Pattern.compile(
          "(?m)^(?: +add\\.fields: |\"transforms\\.unwrap\\.add\\.fields\": \")([^\"\n]+)");

  @Test
  void everyExampleIsAConfigurationOrPartOfOne() throws IOException {
    List<String> examples = found(YAML);

    assertThat(examples).hasSize(4);
    assertThat(examples).filteredOn(example -> example.contains("\ncatalog:")).hasSize(2);
    for (String example : examples) {
      Settings settings = Settings.parse(whole(example), Map.of("REGISTRY_USER", "a:b"));
      for (RouteSettings route : settings.routes()) {
        assertThat(route.columns().values()).allSatisfy(spec -> ColumnSpec.parse(spec));
      }
    }
  }

  /** What the transform adds is what the job is told of it. */
  @Test
  void theConnectorAddsTheFieldsThatTheJobReads() throws IOException {
    List<String> added = found(ADDED);

    assertThat(added).hasSize(2);
    assertThat(added.get(0)).isEqualTo(added.get(1));
  }

  private static String whole(String example) {
    return example.contains("\ncatalog:")
        ? example
        : example.replace("kafka:\n", "kafka:\n  bootstrap.servers: b:1\n  topics: [t.s.o]\n")
            + "catalog: {name: lake, properties: {type: rest, uri: 'http://c', warehouse: w}}\n";
  }

  private static List<String> found(Pattern what) throws IOException {
    Path page = Path.of("..").resolve("docs/formats.md");
    return what.matcher(Files.readString(page)).results().map(match -> match.group(1)).toList();
  }
}
