package io.tidemark.sandbox;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/** A Kafka cluster of one node, broker and controller, in this process. */
public final class EmbeddedKafka implements AutoCloseable {

  private static final int NODE_ID = 1;
  private static final String CONTROLLER = "CONTROLLER";

  private final Properties properties;
  private final String bootstrapServers;
  private final Admin admin;
  private KafkaRaftServer server;

  private EmbeddedKafka(Properties properties, String bootstrapServers) {
    this.properties = properties;
    this.bootstrapServers = bootstrapServers;
    this.server = server(properties);
    this.admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers));
  }

  private static KafkaRaftServer server(Properties properties) {
    KafkaRaftServer server =
        new KafkaRaftServer(KafkaConfig.fromProps(properties, false), Time.SYSTEM);
    server.startup();
    return server;
  }

  /**
   * Starts a node on free ports.
   *
   * @param dataDir where its log goes; created if absent, and left behind on close
   * @throws IllegalStateException if it does not come up
   */
  public static EmbeddedKafka start(Path dataDir) {
    return start(dataDir, Map.of());
  }

  /**
   * A node that can be stopped and started again: it says goodbye, or it would be thought alive.
   */
  public static EmbeddedKafka startRestartable(Path dataDir) {
    return start(dataDir, Map.of("controlled.shutdown.enable", "true"));
  }

  /**
   * A node with settings of its own.
   *
   * @param more by Kafka's names
   * @throws IllegalStateException if it does not come up
   */
  public static EmbeddedKafka start(Path dataDir, Map<String, String> more) {
    try {
      Files.createDirectories(dataDir);
      int brokerPort = Ports.free();
      int controllerPort = Ports.free();
      format(dataDir);
      Properties properties = properties(dataDir, brokerPort, controllerPort);
      properties.putAll(more);
      return new EmbeddedKafka(properties, "localhost:" + brokerPort);
    } catch (Exception e) {
      throw new IllegalStateException(
          "Kafka did not start in " + dataDir + ": " + e.getMessage(), e);
    }
  }

  /** The address for clients. */
  public String bootstrapServers() {
    return bootstrapServers;
  }

  /** Creates a topic that keeps everything. */
  public void createTopic(String topic, int partitions) {
    NewTopic created =
        new NewTopic(topic, partitions, (short) 1).configs(Map.of("retention.ms", "-1"));
    try {
      admin.createTopics(List.of(created)).all().get();
      awaitLeaders(topic);
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "Topic " + topic + " could not be created: " + Cause.of(e).getMessage(), Cause.of(e));
    } catch (InterruptedException e) {
      throw interrupted("creating topic " + topic, e);
    }
  }

  /**
   * Waits for an answer that only leaders give. A broker that does not lead a new partition yet
   * refuses the first batch of a producer and may take its second.
   */
  private void awaitLeaders(String topic) throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      try {
        endOffsets(topic);
        return;
      } catch (IllegalStateException e) {
        // The broker may hear of its own new topic later than the controller answers.
        if (attempt == 300 || !(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw e;
        }
        Thread.sleep(100);
      }
    }
  }

  /** For each partition of a topic the offset that the next record gets. */
  public NavigableMap<Integer, Long> endOffsets(String topic) {
    try {
      Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
      for (TopicDescription description :
          admin.describeTopics(List.of(topic)).allTopicNames().get().values()) {
        for (TopicPartitionInfo partition : description.partitions()) {
          latest.put(new TopicPartition(topic, partition.partition()), OffsetSpec.latest());
        }
      }
      NavigableMap<Integer, Long> ends = new TreeMap<>();
      admin
          .listOffsets(latest)
          .all()
          .get()
          .forEach((partition, end) -> ends.put(partition.partition(), end.offset()));
      return ends;
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "The end of topic " + topic + " is not known: " + Cause.of(e).getMessage(), Cause.of(e));
    } catch (InterruptedException e) {
      throw interrupted("asking for the end of topic " + topic, e);
    }
  }

  /** Stops the node; its log stays, and clients go on asking at its address. */
  public void stop() {
    server.shutdown();
    server.awaitShutdown();
  }

  /** Starts a stopped node again, if it is restartable: at the same address and with its log. */
  public void startAgain() {
    server = server(properties);
  }

  @Override
  public void close() {
    admin.close();
    stop();
  }

  private static void format(Path dataDir) throws Exception {
    new Formatter()
        .setClusterId(Uuid.randomUuid().toString())
        .setNodeId(NODE_ID)
        .addDirectory(dataDir.toString())
        .setMetadataLogDirectory(dataDir.toString())
        .setControllerListenerName(CONTROLLER)
        .setPrintStream(
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
        .run();
  }

  private static Properties properties(Path dataDir, int brokerPort, int controllerPort) {
    Properties properties = new Properties();
    properties.put("process.roles", "broker,controller");
    properties.put("node.id", String.valueOf(NODE_ID));
    properties.put("controller.quorum.voters", NODE_ID + "@localhost:" + controllerPort);
    properties.put("controller.listener.names", CONTROLLER);
    properties.put("inter.broker.listener.name", "BROKER");
    properties.put("listener.security.protocol.map", "BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT");
    properties.put(
        "listeners",
        "BROKER://localhost:" + brokerPort + ",CONTROLLER://localhost:" + controllerPort);
    properties.put("log.dirs", dataDir.toString());
    properties.put("auto.create.topics.enable", "false");
    properties.put("offsets.topic.replication.factor", "1");
    properties.put("offsets.topic.num.partitions", "1");
    properties.put("transaction.state.log.replication.factor", "1");
    properties.put("transaction.state.log.min.isr", "1");
    properties.put("transaction.state.log.num.partitions", "1");
    properties.put("group.initial.rebalance.delay.ms", "0");
    properties.put("log.cleaner.enable", "false");
    // On a machine that is busy the only broker must not be taken for dead.
    properties.put("broker.session.timeout.ms", "120000");
    properties.put("num.network.threads", "2");
    properties.put("num.io.threads", "2");
    properties.put("background.threads", "2");
    // There is no other broker to hand leadership to.
    properties.put("controlled.shutdown.enable", "false");
    return properties;
  }

  private static IllegalStateException interrupted(String doing, InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("Interrupted while " + doing, e);
  }
}
