package io.tidemark.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;

/** Configuration texts for tests. */
final class SettingsFixture {
  static final String MINIMAL =
      """
      kafka:
        bootstrap.servers: localhost:9092
        topics: shop\\..*
      catalog:
        name: lake
        properties: {type: hadoop, warehouse: 'file:///tmp/lake'}
      """;

  private SettingsFixture() {}

  /** What is needed and {@code more}, which may not repeat it. */
  static Settings with(String more) {
    return Settings.parse(MINIMAL + more, Map.of());
  }

  /** Only these keys for kafka, beside what is needed elsewhere. */
  static Settings withKafka(String kafka) {
    return Settings.parse(
        MINIMAL.substring(MINIMAL.indexOf("catalog:")) + "kafka:\n" + kafka.indent(2), Map.of());
  }

  static Settings withCatalog(String catalog) {
    return Settings.parse(
        MINIMAL.substring(0, MINIMAL.indexOf("catalog:")) + "catalog:\n" + catalog.indent(2),
        Map.of());
  }

  /** The whole message of what is refused. */
  static String refusal(Runnable parse) {
    ConfigException refused = catchThrowableOfType(ConfigException.class, parse::run);
    assertThat(refused).isNotNull();
    return refused.getMessage() + "\n";
  }

  /** Fails if a declared key does not occur in the text, so that no key goes untested. */
  static void assertNames(String text, List<Key<?>> keys) {
    assertThat(keys).allSatisfy(key -> assertThat(text).contains(key.name() + ":"));
  }
}
