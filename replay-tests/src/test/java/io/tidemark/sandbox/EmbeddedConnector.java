package io.tidemark.sandbox;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.io.IOException;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/** Debezium's PostgreSQL connector in this process, without a Kafka: what it makes is asked for. */
final class EmbeddedConnector implements AutoCloseable {

  private final BlockingQueue<SourceRecord> made = new LinkedBlockingQueue<>();
  private final CompletableFuture<String> ended = new CompletableFuture<>();
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;
  private final String prefix;

  private EmbeddedConnector(EmbeddedPostgres postgres, String prefix, Map<String, String> more) {
    this.prefix = prefix;
    engine =
        DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
            .using(properties(postgres, prefix, more))
            .using((success, message, error) -> ended.complete(message + causes(error)))
            .notifying(
                (batch, committer) -> {
                  for (RecordChangeEvent<SourceRecord> event : batch) {
                    made.add(event.record());
                    committer.markProcessed(event);
                  }
                  committer.markBatchFinished();
                })
            .build();
    thread.execute(engine);
  }

  /**
   * Starts one that takes no snapshot.
   *
   * @param prefix of topics, also the slot's name
   * @param more settings
   */
  static EmbeddedConnector start(
      EmbeddedPostgres postgres, String prefix, Map<String, String> more) {
    return new EmbeddedConnector(postgres, prefix, more);
  }

  /** The next change of a table; those of others are passed over. */
  SourceRecord next(String table) throws InterruptedException {
    SourceRecord record = null;
    do {
      record = poll(60_000);
      if (record == null) {
        throw new AssertionError(prefix + ": no change of " + table + " came");
      }
    } while (!record.topic().equals(prefix + "." + table));
    return record;
  }

  /** The next change of any table; null if none came within a while. */
  @Nullable SourceRecord poll(long millis) throws InterruptedException {
    return made.poll(millis, TimeUnit.MILLISECONDS);
  }

  /** What it said when it ended by itself, with all causes. */
  String end() throws Exception {
    return ended.get(60, TimeUnit.SECONDS);
  }

  private static String causes(@Nullable Throwable error) {
    return error == null ? "" : "\n" + error + causes(error.getCause());
  }

  private static Properties properties(
      EmbeddedPostgres postgres, String prefix, Map<String, String> more) {
    Properties properties = new Properties();
    properties.put("name", prefix);
    properties.put("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
    properties.put("plugin.name", "pgoutput");
    properties.put("database.hostname", "localhost");
    properties.put("database.port", String.valueOf(postgres.port()));
    properties.put("database.user", postgres.user());
    properties.put("database.password", "");
    properties.put("database.dbname", postgres.database());
    properties.put("topic.prefix", prefix);
    properties.put("slot.name", prefix);
    properties.put("publication.name", prefix);
    properties.put("publication.autocreate.mode", "filtered");
    properties.put("snapshot.mode", "no_data");
    properties.put("poll.interval.ms", "20");
    properties.put("offset.storage", "org.apache.kafka.connect.storage.MemoryOffsetBackingStore");
    properties.putAll(more);
    return properties;
  }

  @Override
  public void close() throws IOException {
    if (!ended.isDone()) {
      engine.close();
    }
    thread.shutdown();
  }
}
