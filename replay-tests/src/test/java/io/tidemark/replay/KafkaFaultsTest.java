package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.fault.Parts;
import io.tidemark.job.RunOptions;
import io.tidemark.job.TestCluster;
import io.tidemark.job.TestJob;
import io.tidemark.oracle.OracleOptions;
import io.tidemark.oracle.RawEvent;
import io.tidemark.sandbox.EmbeddedKafka;
import io.tidemark.script.EventScript;
import io.tidemark.script.ScriptOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Transactions, brokers that go and come back, and partitions that are added. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class KafkaFaultsTest {

  private static final Duration DEADLINE = Duration.ofMinutes(3);

  @TempDir static Path directory;
  private static EmbeddedKafka kafka;
  private static TestCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    kafka = EmbeddedKafka.startRestartable(directory.resolve("kafka"));
    cluster = TestCluster.start(1, 4, directory.resolve("checkpoints"), Map.of());
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
    kafka.close();
  }

  @Test
  void abortedTransactionsAreInvisibleAndAnOpenOneIsWaitedFor() throws Exception {
    List<RawEvent> events = events("transactions", 21, 2);
    ReplayJob job = job("transactions", 2);

    transactions(job, events, Parts.REAL);
  }

  @Test
  void plantedBugReadingUncommittedIsCaught() {
    List<RawEvent> events = events("uncommitted", 21, 2);
    ReplayJob job = job("uncommitted", 2);
    Parts uncommitted =
        new Parts() {
          @Override
          public Properties consumer(Properties real) {
            Properties changed = new Properties();
            changed.putAll(real);
            changed.setProperty("isolation.level", "read_uncommitted");
            return changed;
          }
        };

    assertThatThrownBy(() -> transactions(job, events, uncommitted))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("I2");
  }

  /** The second half is sent three times: aborted, then open for a while, and so committed. */
  private static void transactions(ReplayJob job, List<RawEvent> events, Parts parts)
      throws Exception {
    int half = events.size() / 2;
    try (KafkaProducer<byte[], byte[]> producer = transactional(job.topic())) {
      producer.initTransactions();
      producer.beginTransaction();
      send(producer, job.topic(), events.subList(0, half));
      producer.commitTransaction();
      producer.beginTransaction();
      send(producer, job.topic(), events.subList(half, events.size()));
      producer.abortTransaction();
      producer.beginTransaction();
      send(producer, job.topic(), events.subList(half, events.size()));

      try (TestJob bounded = cluster.submit(job.settings(), RunOptions.catchUp(), parts)) {
        bounded.await();
      }
      System.out.println(job.check());
      try (TestJob running = cluster.submit(job.settings(), RunOptions.streaming(), parts)) {
        running.awaitMoreCheckpoints(2);
        assertThat(job.invariants().everySnapshot().recorded()).isPositive();
        producer.commitTransaction();
        System.out.println(job.invariants().awaitCaughtUp(DEADLINE, running::isAlive));
      }
    }
  }

  @Test
  void aBrokerThatIsAwayForAWhileStopsNothing() throws Exception {
    List<RawEvent> events = events("away", 22, 2);
    ReplayJob job = job("away", 2);
    produce(job, events.subList(0, events.size() / 3));

    try (TestJob running = cluster.submit(job.settings(), RunOptions.streaming(), Parts.REAL)) {
      job.invariants().awaitCaughtUp(DEADLINE, running::isAlive);
      produce(job, events.subList(events.size() / 3, events.size() * 2 / 3));
      kafka.stop();
      running.awaitMoreCheckpoints(2); // without Kafka there is nothing that they would wait for
      kafka.startAgain();
      produce(job, events.subList(events.size() * 2 / 3, events.size()));
      System.out.println(job.invariants().awaitCaughtUp(DEADLINE, running::isAlive));
    }
    assertThat(job.files().lost()).isEmpty();
  }

  @Test
  void partitionsThatAreAddedWhileItRunsAndBetweenRunsAreRead() throws Exception {
    List<RawEvent> events = events("added", 23, 2);
    ReplayJob job = job("added", 2).reading(Map.of("partition.discovery.interval.ms", "200"));
    int third = events.size() / 3;
    produce(job, events.subList(0, third));

    try (TestJob running = cluster.submit(job.settings(), RunOptions.streaming(), Parts.REAL)) {
      job.invariants().awaitCaughtUp(DEADLINE, running::isAlive);
      addPartitions(job, 4);
      produce(job, spread(events.subList(third, 2 * third), 4));
      job.invariants().awaitCaughtUp(DEADLINE, running::isAlive);
    }
    addPartitions(job, 5);
    produce(job, spread(events.subList(2 * third, events.size()), 5));
    try (TestJob bounded = cluster.submit(job.settings(), RunOptions.catchUp(), Parts.REAL)) {
      bounded.await();
    }

    System.out.println(job.check());
  }

  private static void addPartitions(ReplayJob job, int count) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.createPartitions(Map.of(job.topic(), NewPartitions.increaseTo(count))).all().get();
    }
    TestJob.await(
        "the topic has its new partitions", () -> kafka.endOffsets(job.topic()).size() == count);
  }

  /** The partitions that Kafka gives the same keys once there are more. */
  private static List<RawEvent> spread(List<RawEvent> events, int partitions) {
    return events.stream()
        .map(e -> e.at(BuiltInPartitioner.partitionForKey(e.key(), partitions), e.offset()))
        .toList();
  }

  private static void produce(ReplayJob job, List<RawEvent> events) {
    ReplayKafka.produce(job.brokers(), job.topic(), events);
  }

  private static KafkaProducer<byte[], byte[]> transactional(String topic) {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", kafka.bootstrapServers(), "transactional.id", topic),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  private static void send(
      KafkaProducer<byte[], byte[]> producer, String topic, List<RawEvent> events) {
    for (RawEvent event : events) {
      producer.send(new ProducerRecord<>(topic, event.partition(), event.key(), event.value()));
    }
    producer.flush();
  }

  private static List<RawEvent> events(String topic, long usualSeed, int partitions) {
    return EventScript.of(
            ScriptOptions.of(Seed.of(topic, usualSeed))
                .topic(topic)
                .partitions(partitions)
                .size(20, 90)
                .ties(0.1)
                .repeated(1, 5, 0))
        .events();
  }

  private static ReplayJob job(String topic, int partitions) {
    kafka.createTopic(topic, partitions);
    return new ReplayJob(
            topic,
            directory.resolve("lake-" + topic),
            OracleOptions.DEFAULT,
            List.of("partition: [region]"))
        .at(kafka.bootstrapServers())
        .with(Map.of("execution.checkpointing.interval", "100ms"));
  }
}
