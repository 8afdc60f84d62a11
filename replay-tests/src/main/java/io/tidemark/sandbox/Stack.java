package io.tidemark.sandbox;

import io.tidemark.script.OrdersTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Everything around a job, in one process: PostgreSQL with the table {@code shop.orders}, Kafka
 * with its topic, a directory for the Iceberg warehouse and a configuration file that names them.
 * The relay between the first two starts when asked, so that there can be rows before its snapshot.
 */
public final class Stack implements AutoCloseable {

  private final StackSettings settings;
  private final Path workDir;
  private final EmbeddedPostgres postgres;
  private final EmbeddedKafka kafka;
  private @Nullable DebeziumRelay relay;

  private Stack(
      StackSettings settings, Path workDir, EmbeddedPostgres postgres, EmbeddedKafka kafka) {
    this.settings = settings;
    this.workDir = workDir;
    this.postgres = postgres;
    this.kafka = kafka;
  }

  /**
   * Starts PostgreSQL and Kafka, both at once.
   *
   * @param workDir where all files go; exists, and is left behind on close
   * @throws RuntimeException if a part does not come up; the other is stopped
   */
  public static Stack start(StackSettings settings, Path workDir) {
    CompletableFuture<EmbeddedPostgres> starting =
        CompletableFuture.supplyAsync(() -> EmbeddedPostgres.start(workDir.resolve("postgres")));
    EmbeddedKafka kafka;
    try {
      kafka = EmbeddedKafka.start(workDir.resolve("kafka"));
    } catch (RuntimeException e) {
      starting.thenAccept(EmbeddedPostgres::close).exceptionally(alsoFailed -> null).join();
      throw e;
    }
    EmbeddedPostgres postgres;
    try {
      postgres = starting.join();
    } catch (CompletionException e) {
      kafka.close();
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
    Stack stack = new Stack(settings, workDir, postgres, kafka);
    try {
      stack.prepare();
      return stack;
    } catch (RuntimeException e) {
      try {
        stack.close();
      } catch (RuntimeException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /** The database. */
  public EmbeddedPostgres postgres() {
    return postgres;
  }

  /** The broker. */
  public EmbeddedKafka kafka() {
    return kafka;
  }

  /** The topic with the changes of {@code shop.orders}. */
  public String topic() {
    return settings.name() + "." + OrdersTable.NAME;
  }

  /** Where the Iceberg tables are. */
  public Path warehouse() {
    return workDir.resolve("lake");
  }

  /** The configuration of a job from the topic to the warehouse. */
  public Path configFile() {
    return workDir.resolve("tidemark.yaml");
  }

  /** Starts Debezium: the rows that are there go to Kafka first, and then every change. */
  public DebeziumRelay startRelay() {
    if (relay != null) {
      throw new IllegalStateException("The relay is running");
    }
    RelaySettings relaySettings =
        new RelaySettings(settings.name(), List.of(OrdersTable.NAME), settings.schemas());
    relay = DebeziumRelay.start(postgres, kafka, relaySettings, workDir.resolve("relay.offsets"));
    return relay;
  }

  @Override
  public void close() {
    // Each part before what it is connected to.
    try (EmbeddedPostgres closedLast = postgres;
        EmbeddedKafka closedSecond = kafka) {
      if (relay != null) {
        relay.close();
      }
    }
  }

  private void prepare() {
    try (Connection connection = postgres.connect()) {
      OrdersTable.create(connection);
      kafka.createTopic(topic(), settings.partitions());
      Files.createDirectories(warehouse());
      Files.writeString(configFile(), config());
    } catch (SQLException e) {
      throw new IllegalStateException("The table could not be created: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException("The configuration could not be written", e);
    }
  }

  private String config() {
    return """
        name: %s
        kafka:
          bootstrap.servers: %s
          topics: ['%s']
          format: debezium-json
          start: earliest
        catalog:
          name: lake
          properties: {type: hadoop, warehouse: '%s'}
        flink:
          parallelism.default: %d
          execution.checkpointing.interval: 1s
          state.backend.type: hashmap
        """
        .formatted(
            settings.name(),
            kafka.bootstrapServers(),
            topic(),
            warehouse().toUri(),
            settings.parallelism());
  }
}
