package io.tidemark.processes;

import io.tidemark.sandbox.Ports;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.storage.Formatter;

/**
 * A Kafka node in a process of its own. Tests talk to it directly, jobs only by a second listener
 * whose address is a proxy's.
 */
final class BrokerProcess implements AutoCloseable {
  private final Path dir;
  private final int directPort = Ports.free();
  private final int proxiedPort = Ports.free();
  private final Path properties;
  private ChildJvm process;

  private BrokerProcess(Path dir, int advertisedPort) {
    this.dir = dir;
    this.properties = configure(dir, advertisedPort);
    this.process = launch();
  }

  /**
   * Starts one.
   *
   * @param advertisedPort where a proxy listens that leads to {@link #proxiedPort()}
   */
  static BrokerProcess start(Path dir, int advertisedPort) {
    return new BrokerProcess(dir, advertisedPort);
  }

  private Path configure(Path base, int advertisedPort) {
    Path data = base.resolve("data");
    try {
      Files.createDirectories(data);
      new Formatter()
          .setClusterId(Uuid.randomUuid().toString())
          .setNodeId(1)
          .addDirectory(data.toString())
          .setMetadataLogDirectory(data.toString())
          .setControllerListenerName("CONTROLLER")
          .setPrintStream(
              new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
          .run();
      int controllerPort = Ports.free();
      return Files.writeString(
          base.resolve("server.properties"),
          """
          process.roles=broker,controller
          node.id=1
          controller.quorum.voters=1@127.0.0.1:%1$d
          controller.listener.names=CONTROLLER
          inter.broker.listener.name=DIRECT
          listener.security.protocol.map=DIRECT:PLAINTEXT,PROXIED:PLAINTEXT,CONTROLLER:PLAINTEXT
          listeners=DIRECT://127.0.0.1:%2$d,PROXIED://127.0.0.1:%3$d,CONTROLLER://127.0.0.1:%1$d
          advertised.listeners=DIRECT://127.0.0.1:%2$d,PROXIED://127.0.0.1:%4$d
          log.dirs=%5$s
          auto.create.topics.enable=false
          offsets.topic.replication.factor=1
          offsets.topic.num.partitions=1
          group.initial.rebalance.delay.ms=0
          log.cleaner.enable=false
          broker.session.timeout.ms=5000
          broker.heartbeat.interval.ms=500
          num.network.threads=2
          num.io.threads=2
          background.threads=2
          controlled.shutdown.enable=false
          """
              .formatted(controllerPort, directPort, proxiedPort, advertisedPort, data));
    } catch (Exception e) {
      throw new IllegalStateException("Kafka's directory could not be made: " + base, e);
    }
  }

  private ChildJvm launch() {
    return ChildJvm.start(
        new ChildJvm.Command(
            "broker",
            dir,
            320,
            System.getProperty("java.class.path"),
            "kafka.Kafka",
            List.of(properties.toString()),
            Map.of()));
  }

  String bootstrapServers() {
    return "127.0.0.1:" + directPort;
  }

  int proxiedPort() {
    return proxiedPort;
  }

  ChildJvm process() {
    return process;
  }

  /** After a kill. */
  void restart() {
    process = launch();
  }

  void createTopic(String topic, int partitions) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
      admin
          .createTopics(
              List.of(
                  new NewTopic(topic, partitions, (short) 1).configs(Map.of("retention.ms", "-1"))))
          .all()
          .get();
      Await.until(
          "topic " + topic + " has leaders",
          () -> {
            try {
              return admin
                  .describeTopics(List.of(topic))
                  .allTopicNames()
                  .get()
                  .get(topic)
                  .partitions()
                  .stream()
                  .allMatch(p -> p.leader() != null && !p.leader().isEmpty());
            } catch (ExecutionException | InterruptedException e) {
              return false;
            }
          },
          process::tail);
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException("Topic " + topic + " could not be created", e);
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
