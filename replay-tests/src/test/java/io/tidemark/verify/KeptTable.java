package io.tidemark.verify;

import io.tidemark.cli.TidemarkCommand;
import io.tidemark.config.Settings;
import io.tidemark.job.LocalJob;
import io.tidemark.job.RunOptions;
import io.tidemark.oracle.RawEvent;
import io.tidemark.sandbox.EmbeddedKafka;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A topic and the table that the real job keeps of it, in a directory that can be put back. */
final class KeptTable {

  /** What a command came to. */
  record Outcome(int exit, String out, String err) {}

  private final EmbeddedKafka kafka;
  private final Path dir;
  private final String topic;

  KeptTable(EmbeddedKafka kafka, Path dir, String topic, int partitions) {
    this.kafka = kafka;
    this.dir = dir;
    this.topic = topic;
    kafka.createTopic(topic, partitions);
  }

  void send(List<RawEvent> events) {
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (RawEvent event : events) {
        var record = new ProducerRecord<>(topic, event.partition(), event.key(), event.value());
        event
            .headers()
            .forEach((k, v) -> record.headers().add(k, v.getBytes(StandardCharsets.UTF_8)));
        producer.send(record).get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Lets the job bring all of the topic into the table. */
  void catchUp() {
    try (LocalJob job = LocalJob.start(Settings.read(config()), RunOptions.catchUp())) {
      job.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  Path config() {
    return config(kafka.bootstrapServers());
  }

  /** A configuration with another broker. */
  Path config(String bootstrapServers) {
    String yaml =
        """
        name: shop
        kafka:
          bootstrap.servers: '%s'
          topics: ['%s']
        catalog:
          name: lake
          properties: {type: hadoop, warehouse: 'file://%s'}
        routes:
          - topics: '.*'
            table: shop.orders
            partition: [region]
        flink:
          execution.checkpointing.interval: 1s
        """
            .formatted(bootstrapServers, topic, warehouse());
    try {
      return Files.writeString(dir.resolve("config.yaml"), yaml);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Outcome verify(String... options) {
    List<String> args = new ArrayList<>(List.of("verify", "-c", config().toString()));
    args.addAll(List.of(options));
    return run(args);
  }

  static Outcome run(List<String> args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exit =
        TidemarkCommand.run(
            new PrintWriter(out),
            new PrintWriter(err),
            args.toArray(String[]::new),
            new VerifyCommand());
    return new Outcome(exit, out.toString(), err.toString());
  }

  Path warehouse() {
    return dir.resolve("warehouse");
  }

  Table table() {
    return load("orders");
  }

  Table tombstones() {
    return load("orders__tombstones");
  }

  private Table load(String name) {
    return CatalogUtil.buildIcebergCatalog(
            "lake",
            Map.of("type", "hadoop", "warehouse", "file://" + warehouse()),
            new Configuration())
        .loadTable(TableIdentifier.of("shop", name));
  }

  List<Record> rows() {
    return rowsOf(table());
  }

  List<Record> rowsOf(Table table) {
    List<Record> rows = new ArrayList<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
      records.forEach(rows::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return rows;
  }

  /** As a compaction that does not do what it should: puts these rows in place of all. */
  void compactInto(List<Record> rows) {
    RewrittenRows.replaceAll(table(), rows);
  }

  /** As a commit of a job that was not told the topics' ids. */
  void forgetTopicIds() {
    Table table = table();
    var append = table.newFastAppend();
    table
        .currentSnapshot()
        .summary()
        .forEach(
            (name, value) -> {
              if (name.startsWith("tidemark.") && !name.equals("tidemark.topic-ids")) {
                append.set(name, value);
              }
            });
    append.commit();
  }

  /** As somebody who writes all rows anew, with others or without some. */
  void overwriteWith(List<Record> rows) {
    Table table = table();
    var overwrite = table.newOverwrite().overwriteByRowFilter(Expressions.alwaysTrue());
    RewrittenRows.write(table, rows).forEach(overwrite::addFile);
    overwrite.commit();
  }

  /** As somebody who appends rows. */
  void append(List<Record> rows) {
    Table table = table();
    var append = table.newAppend();
    RewrittenRows.write(table, rows).forEach(append::appendFile);
    append.commit();
  }

  /** Files with these rows, which no table knows. */
  List<DataFile> write(List<Record> rows) {
    return RewrittenRows.write(table(), rows);
  }

  Path anyDataFile() {
    try (CloseableIterable<FileScanTask> tasks = table().newScan().planFiles()) {
      return Path.of(java.net.URI.create(tasks.iterator().next().file().location()).getPath());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One that the newest snapshot added. */
  Path newestDataFile() {
    Table table = table();
    Long newest = table.currentSnapshot().sequenceNumber();
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      for (FileScanTask task : tasks) {
        if (newest.equals(task.file().dataSequenceNumber())) {
          return Path.of(java.net.URI.create(task.file().location()).getPath());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new AssertionError("The newest snapshot added no rows");
  }

  /** Keeps a copy of all files of the warehouse. */
  void keepCopy() {
    copy(warehouse(), dir.resolve("copy"));
  }

  /** Puts the copy in place of the warehouse. */
  void putBack() {
    delete(warehouse());
    copy(dir.resolve("copy"), warehouse());
  }

  /** Keeps a copy of one table's files. */
  void keepCopy(String table) {
    copy(warehouse().resolve("shop").resolve(table), dir.resolve("copy-of-" + table));
  }

  /** Puts the copy in place of the table. */
  void putBack(String table) {
    Path place = warehouse().resolve("shop").resolve(table);
    delete(place);
    copy(dir.resolve("copy-of-" + table), place);
  }

  private static void copy(Path from, Path to) {
    try (var paths = Files.walk(from)) {
      for (Path path : paths.toList()) {
        Files.copy(path, to.resolve(from.relativize(path)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void delete(Path dir) {
    try (var paths = Files.walk(dir)) {
      for (Path path : paths.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
