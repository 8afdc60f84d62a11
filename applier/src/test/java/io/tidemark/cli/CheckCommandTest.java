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
            "FAIL  broker     kafka.bootstrap.servers (127.0.0.1:1): no broker answered within 1 s",
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
  void anUnknownCatalogTypeIsNamedWithItsKey() throws Exception {
    String text = config(dir).replace("type: hadoop", "type: hadop");
    Outcome outcome = tidemark("check", "-c", file(dir, text), "--timeout", "1");

    assertThat(outcome.exit()).isEqualTo(1);
    assertThat(outcome.out())
        .contains("FAIL  catalog    catalog lake (catalog.properties): ", "hadop");
  }

  @Test
  void aTimeoutOfNothingIsAUsageError() throws Exception {
    Outcome outcome = tidemark("check", "-c", file(dir, config(dir)), "--timeout", "0");

    assertThat(outcome.exit()).isEqualTo(2);
    assertThat(outcome.err())
        .contains("--timeout: found \"0\", expected a number of seconds, at least 1");
  }
}
