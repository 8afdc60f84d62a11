package io.tidemark.config;

import static io.tidemark.config.SettingsFixture.MINIMAL;
import static io.tidemark.config.SettingsFixture.refusal;
import static io.tidemark.config.SettingsFixture.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {

  @Test
  void defaults() {
    Settings settings = with("");

    assertThat(settings.name()).isEqualTo("tidemark");
    assertThat(settings.routes()).isEmpty();
    assertThat(settings.errors()).isEqualTo(new ErrorSettings(ErrorPolicy.FAIL, null));
    assertThat(settings.gate()).isEqualTo(new GateSettings(64L << 20, 1 << 10));
    assertThat(settings.flink()).isEmpty();
  }

  @Test
  void everyKeyIsRead() {
    String text =
        """
        name: shop
        routes: [{topics: 'shop\\.(.*)', table: raw.$1}, {topics: '.*'}]
        errors: {policy: skip}
        gate: {memory: 8mb}
        record: {interval: 2h}
        tombstones: {retention: 7d}
        flink: {parallelism.default: 4, state.backend.type: rocksdb}
        """;
    Settings settings = with(text);

    SettingsFixture.assertNames(MINIMAL + text, Settings.KEYS);
    assertThat(Settings.SECTIONS)
        .allSatisfy(section -> assertThat(MINIMAL + text).contains(section + ":"));
    assertThat(settings.name()).isEqualTo("shop");
    assertThat(settings.kafka().bootstrapServers()).isEqualTo("localhost:9092");
    assertThat(settings.catalog().name()).isEqualTo("lake");
    assertThat(settings.routes()).extracting(RouteSettings::table).containsExactly("raw.$1", null);
    assertThat(settings.errors().policy()).isEqualTo(ErrorPolicy.SKIP);
    assertThat(settings.gate().memoryBytes()).isEqualTo(8 << 20);
    assertThat(settings.record()).isEqualTo(new RecordSettings(Duration.ofHours(2)));
    assertThat(settings.tombstones()).isEqualTo(new TombstoneSettings(7));
    assertThat(settings.flink())
        .containsEntry("parallelism.default", "4")
        .containsEntry("state.backend.type", "rocksdb");
  }

  @Test
  void everyProblemIsReportedAtOnce() {
    String text =
        """
        nam: shop
        kafka:
          topcs: 'shop\\..*'
          format: debezium-avro
          bootstrap.servers: localhost
        bootstrap.servers: localhost:9092
        routes: {topics: x}
        gate: 64mb
        errors:
          polisy: skip
        sinks: 4
        """;

    assertThat(refusal(() -> Settings.parse(text, Map.of())))
        .isEqualTo(
            """
            The configuration has 12 problems:
              nam (line 1): found an unknown key, did you mean name?
              kafka.topcs (line 3): found an unknown key, did you mean topics?
              kafka.topics (line 3): is missing, expected a regular expression, or a list of topic names
              kafka.registry (line 3): is missing, expected schema.registry.url or apicurio.registry.url: kafka.format is debezium-avro
              kafka.bootstrap.servers (line 5): found "localhost", expected host:port, several separated by commas
              bootstrap.servers (line 6): found an unknown key, did you mean kafka.bootstrap.servers?
              routes (line 7): found a mapping, expected a list of mappings
              gate (line 8): found "64mb", expected a mapping
              errors.polisy (line 10): found an unknown key, did you mean policy?
              sinks (line 11): found an unknown key, expected one of name, flink, kafka, catalog, routes, errors, gate, record, tombstones
              catalog.name: is missing, expected a text
              catalog.properties: is missing, expected a mapping from names to texts, numbers, true or false
            """);
  }

  @Test
  void whatIsNoMappingIsRefused() {
    assertThat(refusal(() -> Settings.parse("", Map.of()))).contains("the file is empty");
    assertThat(refusal(() -> Settings.parse("# nothing\n", Map.of())))
        .contains("the file is empty");
    assertThat(refusal(() -> Settings.parse("- a\n- b\n", Map.of())))
        .isEqualTo(
            """
            The configuration has a problem:
              line 1: found a list, expected a mapping with at least the keys kafka and catalog
            """);
  }

  @Test
  void brokenYamlIsRefusedWithItsLine() {
    assertThat(refusal(() -> Settings.parse("name: shop\nkafka: {topics: [a\n", Map.of())))
        .isEqualTo(
            """
            The configuration has a problem:
              line 3: this is not YAML: while parsing a flow sequence, expected ',' or ']', but got <stream end> at column 1
            """);
    assertThat(refusal(() -> Settings.parse("name: shop\n\tkafka: 1\n", Map.of())))
        .contains("line 2: this is not YAML");
    assertThat(refusal(() -> Settings.parse("name: a\n---\nname: b\n", Map.of())))
        .contains("line 2: this is not YAML", "another document");
  }

  @Test
  void aKeyThatOccursTwiceIsRefused() {
    assertThat(refusal(() -> with("name: a\nname: b\n")))
        .contains("name (line 8): found a second time, the first is on line 7");
  }

  @Test
  void anAnchorThatContainsItselfIsRefused() {
    assertThat(refusal(() -> with("flink: &a {x: *a}\n"))).contains("more than 16 levels");
  }

  @Test
  void anObjectTagMakesNoObject() {
    assertThat(refusal(() -> with("gate: !!javax.script.ScriptEngineManager [x]\n")))
        .contains("line 7: this is not YAML: Global tag is not allowed");
  }

  @Test
  void anAbsentFileIsRefused(@TempDir Path dir) {
    assertThat(refusal(() -> Settings.read(dir.resolve("no.yaml"))))
        .contains("there is no file " + dir.resolve("no.yaml"));
    assertThat(refusal(() -> Settings.read(dir))).contains("it is a directory");
  }

  @Test
  void aFileIsRead(@TempDir Path dir) throws Exception {
    Path file = Files.writeString(dir.resolve("a.yaml"), MINIMAL);

    assertThat(Settings.read(file)).isEqualTo(with(""));
  }

  @Test
  void secretsDoNotShow() {
    String text =
        """
        kafka:
          bootstrap.servers: localhost:9092
          topics: shop\\..*
          properties:
            sasl.jaas.config: 'x password="hush1"'
            ssl.keystore.password: hush2
            ssl.keystore.location: /etc/store
        catalog:
          name: lake
          properties:
            type: jdbc
            uri: jdbc:postgresql://bob:hush3@db/lake?user=bob&password=hush4
            s3.secret-access-key: hush5
            oauth2.credential: hush6
            token: ${TOKEN}
        flink: {s3.access-key: hush8}
        """;
    Settings settings = Settings.parse(text, Map.of("TOKEN", "hush7"));

    assertThat(settings.kafka().properties()).containsEntry("ssl.keystore.password", "hush2");
    assertThat(settings.catalog().properties()).containsEntry("token", "hush7");
    assertThat(settings.toString())
        .doesNotContain("hush")
        .contains(
            "ssl.keystore.location=/etc/store", "token=******", "jdbc:postgresql://******@db");
  }

  @Test
  void theDefaultTableIsTheLastTwoPartsOfTheTopic() {
    assertThat(with("").route("shop.public.orders").table()).isEqualTo("public.orders");
    assertThat(refusal(() -> with("").route("orders")))
        .isEqualTo(
            """
            The configuration has a problem:
              routes: topic orders gives no table, expected namespace.table: add a route with a table
            """);
  }

  @Test
  void theFirstRouteThatMatchesIsTaken() {
    Settings settings =
        with(
            """
            routes:
              - {topics: 'a\\.(.*)\\.(.*)', table: first.$1_$2}
              - {topics: 'a\\..*'}
              - {topics: '(b)?(.*)', table: $1.$2}
            """);

    assertThat(settings.route("a.x.y").table()).isEqualTo("first.x_y");
    assertThat(settings.route("a.x").table()).isEqualTo("a.x");
    assertThat(settings.route("bc").table()).isEqualTo("b.c");
    assertThat(refusal(() -> settings.route("c")))
        .contains("routes[2].table: topic c gives no table");
  }

  @Test
  void twoTopicsIntoOneTableAreRefused() {
    Settings settings = with("routes: [{topics: 'shard\\d\\.(.*)', table: shop.$1}]\n");

    assertThat(settings.routes(List.of("shard1.b", "shard1.a")))
        .extracting(TableRoute::table)
        .containsExactly("shop.a", "shop.b");
    assertThat(refusal(() -> settings.routes(List.of("shard2.a", "shard1.a", "x"))))
        .isEqualTo(
            """
            The configuration has 2 problems:
              routes: topics shard1.a and shard2.a both go into table shop.a, expected one topic for a table: versions of two topics do not compare
              routes: topic x gives no table, expected namespace.table: add a route with a table
            """);
  }
}
