package io.tidemark.cli;

import static io.tidemark.cli.CommandLineFixture.config;
import static io.tidemark.cli.CommandLineFixture.file;
import static io.tidemark.cli.CommandLineFixture.tidemark;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.CommandLineFixture.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class CheckCommandTest {
  @TempDir private Path dir;

  @Test
  @Timeout(30)
  void aBrokerThatIsAwayIsNamedWithItsKey() throws Exception {
    Outcome outcome = tidemark("check", "-c", file(dir, config(dir)), "--timeout", "1");

    assertThat(outcome.exit()).isEqualTo(1);
    assertThat(outcome.out())
        .contains(
            "warn  config     name is tidemark, as of every job without one",
            "FAIL  broker     kafka.bootstrap.servers (127.0.0.1:1): no broker answered within 1 s",
            "reachable from here; --timeout waits longer",
            "-> start Kafka, or correct kafka.bootstrap.servers",
            "ok    catalog    lake (hadoop), 0 tables",
            "1 failed, 1 warning.");
    assertThat(outcome.err()).isEmpty();
  }

  @Test
  @Timeout(30)
  void aWarehouseThatIsNotThereYetHasNoTables() throws Exception {
    Outcome outcome =
        tidemark("check", "-c", file(dir, config(dir.resolve("not/yet"))), "--timeout", "1");

    assertThat(outcome.out()).contains("ok    catalog    lake (hadoop), 0 tables");
  }

  @Test
  @Timeout(30)
  void aBrokerWhoseNameIsUnknownIsNamedWithItsKey() throws Exception {
    String text = config(dir).replace("127.0.0.1:1", "no-such-host.invalid:9092");
    Outcome outcome = tidemark("check", "-c", file(dir, text), "--timeout", "1");

    assertThat(outcome.exit()).isEqualTo(1);
    assertThat(outcome.out())
        .contains(
            "FAIL  broker     kafka.bootstrap.servers (no-such-host.invalid:9092): no client can be made");
  }

  @Test
  @Timeout(60)
  void aCatalogThatIsAwayIsNamedWithItsKey() throws Exception {
    String text =
        config(dir)
            .replaceAll(
                "properties: \\{.*}", "properties: {type: rest, uri: 'http://127.0.0.1:1'}");
    long start = System.nanoTime();
    Outcome outcome = tidemark("check", "-c", file(dir, text), "--timeout", "2");

    assertThat(outcome.exit()).isEqualTo(1);
    assertThat(outcome.out())
        .contains(
            "FAIL  catalog    catalog lake (catalog.properties): ",
            "-> start the catalog",
            "2 failed");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
  }

  @Test
  @Timeout(30)
  void aClassThatIsNotThereIsNamedWithItsKey() throws Exception {
    String text = config(dir).replace("type: hadoop", "type: hadoop, io-impl: org.example.Gone");
    String said =
        "catalog.properties: Iceberg makes no catalog lake of them: Cannot initialize FileIO"
            + " implementation org.example.Gone";
    String expected = "Expected a class that is on the class path: correct type, catalog-impl or";
    Outcome outcome = tidemark("check", "-c", file(dir, text), "--timeout", "1");

    assertThat(outcome.exit()).isEqualTo(1);
    assertThat(outcome.out()).contains("FAIL  catalog    " + said, expected);

    outcome = tidemark("run", "-c", file(dir, text), "--dry-run");
    assertThat(outcome.exit()).isEqualTo(2);
    assertThat(outcome.err()).contains(said, expected).doesNotContain("bug");

    text = text.replaceAll("properties: .*", "properties: {catalog-impl: org.example.Gone}");
    outcome = tidemark("status", "-c", file(dir, text));
    assertThat(outcome.exit()).isEqualTo(2);
    assertThat(outcome.err())
        .contains("catalog.properties: ", "Catalog implementation org.example.Gone", expected);

    text = text.replaceAll("properties: .*", "properties: {type: jdbc, warehouse: x}");
    outcome = tidemark("run", "-c", file(dir, text));
    assertThat(outcome.exit()).isEqualTo(2);
    assertThat(outcome.err())
        .contains("catalog.properties: Iceberg makes no catalog lake", "URI is required");
  }

  @Test
  @Timeout(30)
  void aDatabaseThatIsAwayIsNamedWithKeyAndAddress() throws Exception {
    String uri = "jdbc:sqlite:" + dir.resolve("no/such/directory/catalog.db");
    String text =
        config(dir)
            .replaceAll(
                "properties: .*", "properties: {type: jdbc, warehouse: x, uri: '" + uri + "'}");
    Outcome outcome = tidemark("run", "-c", file(dir, text));
    assertThat(outcome.exit()).isEqualTo(3);
    assertThat(outcome.err())
        .startsWith("The catalog (catalog.properties): Failed to connect: " + uri + ": ");

    outcome = tidemark("check", "-c", file(dir, text), "--timeout", "1");
    assertThat(outcome.out())
        .contains(
            "FAIL  catalog    catalog lake (catalog.properties): Failed to connect: " + uri + ": ");
  }

  @Test
  void aTimeoutOfNothingIsAUsageError() throws Exception {
    Outcome outcome = tidemark("check", "-c", file(dir, config(dir)), "--timeout", "0");

    assertThat(outcome.exit()).isEqualTo(2);
    assertThat(outcome.err())
        .contains("--timeout: found \"0\", expected a number of seconds, at least 1");
  }
}
