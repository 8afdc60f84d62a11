package io.tidemark.bench;

import java.nio.file.Path;

/** A Kafka broker that runs for the benchmark alone. */
public interface Broker extends AutoCloseable {

  /** Starts brokers. */
  @FunctionalInterface
  interface Starter {

    /**
     * Starts a broker.
     *
     * @param dataDir where its log goes; the benchmark deletes it
     */
    Broker start(Path dataDir);
  }

  /** The address for clients. */
  String bootstrapServers();

  @Override
  void close();
}
