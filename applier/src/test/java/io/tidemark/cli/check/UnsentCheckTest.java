package io.tidemark.cli.check;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.SourceOffset;
import io.tidemark.config.Settings;
import io.tidemark.debezium.RawRecord;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UnsentCheckTest {
  private static final String SCHEMA =
      """
      {"type":"struct","fields":[%s,%s]}""";
  private static final String ROW =
      """
      {"type":"struct","field":"%s","fields":[{"type":"int64","optional":false,"field":"id"},\
      {"type":"array","items":{"type":"%s"},"optional":true,"field":"tags"}]}""";
  private static final String PAYLOAD =
      """
      {"op":"%s","before":%s,"after":{"id":1,"tags":null},"source":{"connector":"%s","snapshot":"false",\
      "ts_ms":1,"ts_us":1000,"lsn":24,"sequence":"[\\"16\\",\\"24\\"]"}}""";
  private static final String CREATED = PAYLOAD.formatted("c", "null", "postgresql");
  private static final String WARNING =
      """
      warn  records    topic shop.orders: an update that leaves a large value as it was (TOAST) may come with NULL\
       in its place, since Debezium has no placeholder for the type of tags (%s); none of the first 1 shows REPLICA IDENTITY FULL
                       -> set REPLICA IDENTITY FULL on the source table, then before: full in the route, which also ends this\
       warning; or have the connector stop there with event.converting.failure.handling.mode=fail; see docs/types.md
      """;

  @Test
  void columnsOfTypesWithoutPlaceholderAreNamedWithTheRemedy() {
    assertThat(check("[]", described("int16", CREATED)))
        .contains(WARNING.formatted("smallint[]"), "Ready to run, 1 warning.");
    assertThat(check("[]", described("int32", CREATED))).contains("0 warnings");
    assertThat(check("[]", described("string", CREATED))).contains("0 warnings");
  }

  @Test
  void withoutASchemaTheRouteTellsTheTypes() {
    String route = "[{topics: '.*', key: [id], columns: {id: long, tags: %s}}]";

    assertThat(check(route.formatted("list<boolean>"), CREATED))
        .contains(WARNING.formatted("boolean[]"));
    assertThat(check(route.formatted("list<int>"), CREATED)).contains("0 warnings");
  }

  @Test
  void aWholeOldRowEndsTheWarning() {
    String before = "{\"id\":1,\"tags\":[7]}";
    String update = PAYLOAD.formatted("u", before, "postgresql");

    assertThat(check("[]", described("int16", CREATED), described("int16", update)))
        .contains("the first 2 of topic shop.orders can be decoded", "0 warnings");
  }

  @Test
  void soDoesTheRouteThatSaysSo() {
    assertThat(check("[{topics: '.*', before: full}]", described("int16", CREATED)))
        .contains("0 warnings");
  }

  @Test
  void noOtherConnectorIsMeant() {
    String mysql =
        PAYLOAD.formatted("c", "null", "mysql").replace("\"lsn\"", "\"file\":\"b.1\",\"pos\"");

    assertThat(check("[]", described("int16", mysql))).contains("can be decoded", "0 warnings");
  }

  private static String described(String element, String payload) {
    String schema =
        SCHEMA.formatted(ROW.formatted("before", element), ROW.formatted("after", element));
    return "{\"schema\":" + schema + ",\"payload\":" + payload + "}";
  }

  private static String check(String routes, String... values) {
    InMemoryKafka kafka = new InMemoryKafka().with("shop.orders", values.length);
    for (String value : values) {
      SourceOffset at = new SourceOffset("shop.orders", 0, kafka.records.size());
      kafka.records.add(
          new RawRecord(at, 0, "{\"id\":1}".getBytes(UTF_8), value.getBytes(UTF_8), Map.of()));
    }
    Settings settings =
        Settings.parse(
            """
            name: shop
            kafka: {bootstrap.servers: 'localhost:9092', topics: [shop.orders]}
            catalog: {name: lake, properties: {type: hadoop, warehouse: 'file:///tmp/lake'}}
            routes: %s
            """
                .formatted(routes),
            Map.of());
    StringWriter out = new StringWriter();
    CheckReport report = new CheckReport(new PrintWriter(out), text -> text);
    new Check(settings, report).run(() -> kafka, InMemoryCatalog::new);
    return out.toString().replace(System.lineSeparator(), "\n") + report.summary();
  }
}
