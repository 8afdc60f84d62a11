package io.tidemark.sandbox;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * Debezium's PostgreSQL connector in this process, writing to Kafka what Kafka Connect would write.
 *
 * <p>Records go out in the connector's order, keyed, so that Kafka's own partitioner places them; a
 * batch's source offset is only marked as done when all of it is acknowledged.
 */
public final class DebeziumRelay implements AutoCloseable {

  private static final Duration FENCE_INTERVAL = Duration.ofMillis(200);

  private final EmbeddedPostgres postgres;
  private final RecordWire wire;
  private final Producer<byte[], byte[]> producer;
  private final Fences fences = new Fences();
  private final AtomicLong shipped = new AtomicLong();
  private final CountDownLatch polling = new CountDownLatch(1);
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread created = new Thread(task, "debezium-relay");
            created.setDaemon(true);
            return created;
          });
  private final DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;

  private DebeziumRelay(
      EmbeddedPostgres postgres, EmbeddedKafka kafka, RelaySettings settings, Path offsetFile) {
    this.postgres = postgres;
    this.wire = new RecordWire(settings.schemas());
    this.producer = RecordWire.producer(kafka);
    this.engine =
        DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
            .using(connector(postgres, settings, offsetFile))
            .using(
                new DebeziumEngine.ConnectorCallback() {
                  @Override
                  public void pollingStarted() {
                    polling.countDown();
                  }
                })
            .using((success, message, error) -> end(success, message, error))
            .notifying(this::ship)
            .build();
  }

  /**
   * Starts to relay: a snapshot of the tables first, then their changes.
   *
   * @param kafka where the topics of the tables must exist
   * @param offsetFile where the connector remembers how far it got
   * @throws IllegalStateException if the connector does not start
   */
  public static DebeziumRelay start(
      EmbeddedPostgres postgres, EmbeddedKafka kafka, RelaySettings settings, Path offsetFile) {
    DebeziumRelay relay = new DebeziumRelay(postgres, kafka, settings, offsetFile);
    relay.thread.execute(relay.engine);
    try {
      relay.awaitPolling(Duration.ofSeconds(60));
      return relay;
    } catch (RuntimeException e) {
      try {
        relay.close();
      } catch (RuntimeException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /** How many records are in Kafka, tombstones included. */
  public long shipped() {
    return shipped.get();
  }

  /**
   * Waits until everything that was committed before the call is in Kafka.
   *
   * @throws IllegalStateException if the relay has failed or the time is over
   */
  public void awaitShipped(Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    try (Connection connection = postgres.connect();
        PreparedStatement emit =
            connection.prepareStatement("SELECT pg_logical_emit_message(true, ?, ?::text)")) {
      while (System.nanoTime() < deadline) {
        failIfEnded();
        // Fences from before the connector's slot exists are lost, and so each try sends a new one.
        Fences.Fence fence = fences.next();
        emit.setString(1, Fences.PREFIX);
        emit.setString(2, fence.name());
        emit.execute();
        if (fence.passed(FENCE_INTERVAL)) {
          return;
        }
      }
      failIfEnded();
      throw new IllegalStateException(
          "Debezium has not shipped all changes after " + timeout.toSeconds() + " s");
    } catch (SQLException e) {
      throw new IllegalStateException("The database cannot be reached: " + e.getMessage(), e);
    }
  }

  /**
   * Checks that it still relays.
   *
   * @throws IllegalStateException if it does not, with the reason
   */
  public void failIfEnded() {
    if (ended.isCompletedExceptionally()) {
      ended.join();
    }
    if (ended.isDone()) {
      throw new IllegalStateException("Debezium has stopped");
    }
  }

  @Override
  public void close() {
    try {
      engine.close();
    } catch (IOException | IllegalStateException e) {
      // An engine that has ended by itself cannot be closed, which is what is wanted.
      if (!ended.isDone()) {
        throw new IllegalStateException("Debezium did not stop: " + e.getMessage(), e);
      }
    } finally {
      thread.shutdown();
      producer.close(Duration.ofSeconds(5));
    }
  }

  private void awaitPolling(Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    try {
      while (!polling.await(50, TimeUnit.MILLISECONDS)) {
        failIfEnded();
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException(
              "Debezium has not started after " + timeout.toSeconds() + " s");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while Debezium was starting", e);
    }
  }

  private void ship(
      List<RecordChangeEvent<SourceRecord>> batch,
      RecordCommitter<RecordChangeEvent<SourceRecord>> committer)
      throws InterruptedException {
    List<Future<RecordMetadata>> sent = new ArrayList<>(batch.size());
    List<String> passed = new ArrayList<>();
    for (RecordChangeEvent<SourceRecord> event : batch) {
      String fence = Fences.nameIn(event.record());
      if (fence == null) {
        sent.add(producer.send(wire.encode(event.record())));
      } else {
        passed.add(fence);
      }
    }
    producer.flush();
    for (Future<RecordMetadata> acknowledgement : sent) {
      try {
        acknowledgement.get();
      } catch (ExecutionException e) {
        throw new IllegalStateException(
            "Kafka did not take a change: " + Cause.of(e).getMessage(), Cause.of(e));
      }
    }
    for (RecordChangeEvent<SourceRecord> event : batch) {
      committer.markProcessed(event);
    }
    committer.markBatchFinished();
    shipped.addAndGet(sent.size());
    passed.forEach(fences::pass);
  }

  private void end(boolean success, @Nullable String message, @Nullable Throwable error) {
    if (success) {
      ended.complete(null);
    } else {
      ended.completeExceptionally(
          new IllegalStateException("Debezium has failed: " + message, error));
    }
  }

  private static Properties connector(
      EmbeddedPostgres postgres, RelaySettings settings, Path offsetFile) {
    Properties properties = new Properties();
    properties.put("name", "relay-" + settings.topicPrefix());
    properties.put("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
    properties.put("plugin.name", "pgoutput");
    properties.put("database.hostname", "localhost");
    properties.put("database.port", String.valueOf(postgres.port()));
    properties.put("database.user", postgres.user());
    properties.put("database.password", "");
    properties.put("database.dbname", postgres.database());
    properties.put("topic.prefix", settings.topicPrefix());
    properties.put("table.include.list", String.join(",", settings.tables()));
    properties.put("slot.name", "tidemark_" + settings.topicPrefix());
    properties.put("publication.name", "tidemark_" + settings.topicPrefix());
    properties.put("publication.autocreate.mode", "filtered");
    properties.put("decimal.handling.mode", "precise");
    properties.put("poll.interval.ms", "20");
    properties.put("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
    properties.put("offset.storage.file.filename", offsetFile.toString());
    properties.put("offset.flush.interval.ms", "1000");
    return properties;
  }
}
