package io.tidemark.config;

import java.util.ArrayList;
import java.util.List;

/** The page of all keys, made from their declarations. */
final class ConfigPage {
  private static final String HEAD =
      """
      # Configuration

      <!-- Made from the declarations of the keys by ConfigPage; a test fails when it differs.
           Rewrite it with: mvn -pl connectors,applier test -Dtest=ConfigPageTest -Dtidemark.docs.write=true -Dsurefire.failIfNoSpecifiedTests=false -->

      One YAML file describes a job. A key that is not listed here is an error, and all errors of a file are
      reported at once. Names follow Kafka's, Iceberg's and Flink's own.

      `${NAME}` in a value stands for an environment variable, `${file:/path}` for the contents of a file
      without the white space at its end, and `$${` for the text `${`. What they stand for is never logged.

      Durations are written `10s`, `5min`, `1h` or `30d`, sizes `64mb` or `1gb`.
      """;

  private ConfigPage() {}

  static List<Key<?>> allKeys() {
    List<Key<?>> all = new ArrayList<>(Settings.KEYS);
    all.addAll(KafkaSettings.KEYS);
    all.addAll(CatalogSettings.KEYS);
    all.addAll(RouteSettings.KEYS);
    all.addAll(ErrorSettings.KEYS);
    all.addAll(GateSettings.KEYS);
    all.addAll(RecordSettings.KEYS);
    all.addAll(TombstoneSettings.KEYS);
    return all;
  }

  static String render() {
    StringBuilder page = new StringBuilder(HEAD);
    section(page, "The job", "", Settings.KEYS);
    section(page, "`kafka`", "Where changes come from.", KafkaSettings.KEYS);
    section(page, "`catalog`", "The Iceberg catalog that has the tables.", CatalogSettings.KEYS);
    section(
        page,
        "`routes`",
        "A list: which topics come into which table, and how. The first route that matches a topic is"
            + " its own; a topic that none matches goes, with the defaults below, into the table named by"
            + " the last two parts of its name.",
        RouteSettings.KEYS);
    section(page, "`errors`", "Messages that cannot be decoded.", ErrorSettings.KEYS);
    section(page, "`gate`", "The step that keeps one change per key.", GateSettings.KEYS);
    section(page, "`record`", "What the table says of itself.", RecordSettings.KEYS);
    section(page, "`tombstones`", "The memory of deleted keys.", TombstoneSettings.KEYS);
    return page.toString();
  }

  private static void section(StringBuilder page, String title, String text, List<Key<?>> keys) {
    page.append("\n## ").append(title).append('\n');
    if (!text.isEmpty()) {
      page.append('\n').append(text).append('\n');
    }
    page.append("\n| key | default | what it is |\n|---|---|---|\n");
    for (Key<?> key : keys) {
      String fallback =
          key.required()
              ? "required"
              : key.fallback() == null ? "none" : "`" + key.fallback() + "`";
      String example = key.fallback() == null ? " Example: `" + key.standIn() + "`." : "";
      page.append("| `" + key.path() + "` | " + fallback + " | ")
          .append((key.help() + example).replace("|", "\\|"))
          .append(" |\n");
    }
  }
}
