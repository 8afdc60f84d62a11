package io.tidemark.sandbox;

import io.tidemark.bench.Broker;
import java.nio.file.Path;

/** The embedded broker, as the benchmark wants it. */
record BenchBroker(EmbeddedKafka kafka) implements Broker {

  static Broker start(Path dataDir) {
    return new BenchBroker(EmbeddedKafka.start(dataDir));
  }

  @Override
  public String bootstrapServers() {
    return kafka.bootstrapServers();
  }

  @Override
  public void close() {
    kafka.close();
  }
}
