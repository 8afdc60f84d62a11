package io.tidemark.cli.check;

import io.tidemark.config.Before;
import io.tidemark.config.MessageSettings;
import io.tidemark.config.Settings;
import io.tidemark.config.TableRoute;
import io.tidemark.debezium.OverwritingNulls;
import io.tidemark.debezium.RawRecord;
import io.tidemark.debezium.value.ColumnSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Whether the source sends NULL for large values that an update leaves as they were. */
final class UnsentCheck {
  private static final int MAX_SHOWN = 10;

  private final Settings settings;
  private final CheckReport report;
  private final TableRoute route;

  UnsentCheck(Settings settings, CheckReport report, TableRoute route) {
    this.settings = settings;
    this.report = report;
    this.route = route;
  }

  /**
   * Looks at the first records.
   *
   * @param declared columns of messages without schema
   */
  void run(List<RawRecord> records, Map<String, ColumnSpec> declared) {
    if (route.rules().before() == Before.FULL) {
      return; // the route says that the source sends whole rows, and the run holds it to that
    }
    MessageSettings messages = settings.kafka().messages();
    OverwritingNulls nulls =
        new OverwritingNulls(messages.messages(), messages.unwrapped(), declared);
    records.forEach(nulls::look);
    Map<String, List<String>> columns = new TreeMap<>(nulls.columns());
    if (!columns.isEmpty()) {
      report.warn(
          "records",
          "topic "
              + route.topic()
              + ": an update that leaves a large value as it was (TOAST) may come with NULL in its"
              + " place, since Debezium has no placeholder for the type of "
              + listed(columns)
              + "; none of the first "
              + records.size()
              + " shows REPLICA IDENTITY FULL",
          "set REPLICA IDENTITY FULL on the source table, then before: full in the route, which also"
              + " ends this warning; or have the connector stop there with"
              + " event.converting.failure.handling.mode=fail; see docs/types.md");
    }
  }

  private static String listed(Map<String, List<String>> columns) {
    return columns.entrySet().stream()
        .limit(MAX_SHOWN)
        .map(column -> column.getKey() + " (" + String.join(" or ", column.getValue()) + ")")
        .collect(Collectors.joining(", ", "", columns.size() > MAX_SHOWN ? ", …" : ""));
  }
}
