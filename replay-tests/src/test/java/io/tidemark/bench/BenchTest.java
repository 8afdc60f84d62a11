package io.tidemark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.sandbox.EmbeddedKafka;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchTest {

  @ParameterizedTest(name = "schemas {0}")
  @ValueSource(booleans = {true, false})
  void bothPipelinesEndInTheSameRows(boolean schemas) {
    StringWriter printed = new StringWriter();
    Outcome outcome =
        Bench.run(
            new BenchSettings(3_000, 500, 42, 1, schemas, false),
            BenchTest::broker,
            new PrintWriter(printed));
    assertThat(outcome.differences().examples()).isEmpty();
    assertThat(outcome.differences().none()).isTrue();
    assertThat(printed.toString()).contains("compared every column of").contains("equal");
    StringWriter table = new StringWriter();
    outcome.results().print(new PrintWriter(table));
    assertThat(table.toString()).contains("CPU-s per million events").doesNotContain("NaN");
  }

  private static Broker broker(Path dataDir) {
    EmbeddedKafka kafka = EmbeddedKafka.start(dataDir);
    return new Broker() {
      @Override
      public String bootstrapServers() {
        return kafka.bootstrapServers();
      }

      @Override
      public void close() {
        kafka.close();
      }
    };
  }
}
