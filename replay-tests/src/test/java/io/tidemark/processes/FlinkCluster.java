package io.tidemark.processes;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.sandbox.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A Flink session cluster: a job manager and task managers, each a process, from Flink's own main
 * classes. Nothing of Tidemark is on their class path; it comes with the jar that is submitted.
 */
final class FlinkCluster implements AutoCloseable {
  static final int PARALLELISM = 2;

  /** Enough for two jobs on one task manager. */
  private static final int SLOTS = 4;

  /** What a Flink distribution has in its lib directory. */
  private static final Pattern DISTRIBUTION =
      Pattern.compile(
          "(flink-(?!connector-kafka|connector-base|table-planner|test).*(?<!-tests)"
              + "|snakeyaml-engine-.*|kryo-.*|reflectasm-.*|objenesis-.*|minlog-.*"
              + "|commons-(collections|compress|cli|io|text|lang3|math3)-.*|jsr305-.*|javassist-.*"
              + "|snappy-java-.*|lz4-java-.*|frocksdbjni-.*|icu4j-.*|async-profiler-.*"
              + "|slf4j-api-.*|log4j-(api|core|slf4j2-impl)-.*)\\.jar");

  private static final String MEMORY =
      """
      taskmanager.cpu.cores: 1.0
      taskmanager.memory.task.heap.size: 160m
      taskmanager.memory.task.off-heap.size: 0m
      taskmanager.memory.framework.heap.size: 96m
      taskmanager.memory.framework.off-heap.size: 64m
      taskmanager.memory.network.min: 16m
      taskmanager.memory.network.max: 16m
      taskmanager.memory.managed.size: 64m
      taskmanager.memory.jvm-metaspace.size: 192m
      taskmanager.memory.jvm-overhead.min: 64m
      taskmanager.memory.jvm-overhead.max: 64m
      """;

  private final String name;
  private final Path dir;
  private final Path conf;
  private final FlinkRest rest;
  private final TcpProxy jobManagerProxy;
  private final List<ChildJvm> taskManagers = new ArrayList<>();
  private ChildJvm jobManager;
  private int started;

  private FlinkCluster(String name, Path dir, Path storage) {
    this.name = name;
    this.dir = dir;
    int restPort = Ports.free();
    this.rest = new FlinkRest(restPort);
    int port = Ports.free();
    int proxied = Ports.free();
    this.conf = configure(restPort, new int[] {port, proxied}, storage);
    this.jobManagerProxy = TcpProxy.start(proxied, port);
    this.jobManager = launchJobManager();
  }

  /**
   * Starts one.
   *
   * @param storage of checkpoints and savepoints; clusters may share it
   */
  static FlinkCluster start(String name, Path base, Path storage, int taskManagers) {
    FlinkCluster cluster = new FlinkCluster(name, base.resolve(name), storage);
    for (int i = 0; i < taskManagers; i++) {
      cluster.addTaskManager();
    }
    return cluster;
  }

  /**
   * Writes the configuration.
   *
   * @param rpc the port that the job manager listens on, and the one that it is reached by
   */
  private Path configure(int restPort, int[] rpc, Path storage) {
    try {
      Path directory = Files.createDirectories(dir.resolve("conf"));
      Path uploads = Files.createDirectories(dir.resolve("web").resolve("flink-web-upload"));
      Files.createSymbolicLink(uploads.resolve(ClusterJar.NAME), ClusterJar.path());
      Files.writeString(
          directory.resolve("config.yaml"),
          MEMORY
              + """
          jobmanager.rpc.address: 127.0.0.1
          jobmanager.rpc.port: %d
          jobmanager.rpc.bind-port: %d
          jobmanager.bind-host: 127.0.0.1
          rest.address: 127.0.0.1
          rest.bind-address: 127.0.0.1
          rest.port: %d
          web.upload.dir: %s
          web.exception-history-size: 1000
          io.tmp.dirs: %s
          heartbeat.interval: 500
          heartbeat.timeout: 3000
          pekko.lookup.timeout: 1 s
          cluster.registration.max-timeout: 1000
          cluster.registration.error-delay: 200
          cluster.registration.refused-registration-delay: 200
          slot.request.timeout: 60000
          taskmanager.numberOfTaskSlots: %d
          taskmanager.load-balance.mode: SLOTS
          taskmanager.host: 127.0.0.1
          taskmanager.bind-host: 127.0.0.1
          execution.checkpointing.dir: %s
          execution.checkpointing.savepoint-dir: %s
          execution.checkpointing.externalized-checkpoint-retention: RETAIN_ON_CANCELLATION
          execution.checkpointing.num-retained: 2
          execution.checkpointing.incremental: true
          execution.checkpointing.timeout: 20 s
          execution.checkpointing.tolerable-failed-checkpoints: 100
          state.backend.type: rocksdb
          restart-strategy.type: fixed-delay
          restart-strategy.fixed-delay.attempts: 1000
          restart-strategy.fixed-delay.delay: 200 ms
          """
                  .formatted(
                      rpc[1],
                      rpc[0],
                      restPort,
                      dir.resolve("web"),
                      dir.resolve("tmp"),
                      SLOTS,
                      storage.resolve("checkpoints").toUri(),
                      storage.resolve("savepoints").toUri()));
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(java.io.File.pathSeparator))
        .filter(entry -> DISTRIBUTION.matcher(Path.of(entry).getFileName().toString()).matches())
        .collect(Collectors.joining(java.io.File.pathSeparator));
  }

  private ChildJvm launchJobManager() {
    return launch(
        name + "-jm" + ++started,
        320,
        "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint");
  }

  void addTaskManager() {
    taskManagers.add(
        launch(
            name + "-tm" + ++started,
            320,
            "org.apache.flink.runtime.taskexecutor.TaskManagerRunner"));
  }

  private ChildJvm launch(String process, int heap, String mainClass) {
    return ChildJvm.start(
        new ChildJvm.Command(
            process,
            dir,
            heap,
            classPath(),
            mainClass,
            List.of("--configDir", conf.toString()),
            Map.of()));
  }

  FlinkRest rest() {
    return rest;
  }

  /** Between the task managers and the job manager: their calls, and its calls on their lines. */
  TcpProxy jobManagerProxy() {
    return jobManagerProxy;
  }

  ChildJvm jobManager() {
    return jobManager;
  }

  List<ChildJvm> taskManagers() {
    return List.copyOf(taskManagers);
  }

  /** All that are alive. */
  List<ChildJvm> processes() {
    List<ChildJvm> all = new ArrayList<>(taskManagers);
    all.add(jobManager);
    return all;
  }

  /** Waits until all task managers that are alive have registered. */
  void awaitReady() {
    long alive = taskManagers.stream().filter(ChildJvm::isAlive).count();
    Await.until(
        alive + " task managers have registered",
        () -> rest.slots() == alive * SLOTS,
        () -> jobManager.tail() + taskManagers.stream().map(ChildJvm::tail).toList());
  }

  /** Kills one and starts another in its place. */
  void replaceTaskManager(int index) {
    taskManagers.remove(index).kill();
    addTaskManager();
  }

  /** Kills it, with all that it knew, and starts another at its address. */
  void replaceJobManager() {
    jobManager.kill();
    jobManager = launchJobManager();
  }

  /**
   * Types {@code flink …}.
   *
   * @return what it printed and how it ended
   */
  Typed type(String... arguments) {
    try (ChildJvm cli =
        ChildJvm.start(
            new ChildJvm.Command(
                name + "-cli" + ++started,
                dir,
                256,
                classPath(),
                "org.apache.flink.client.cli.CliFrontend",
                List.of(arguments),
                Map.of("FLINK_CONF_DIR", conf.toString())))) {
      int exit = cli.await(120);
      return new Typed(exit, cli.printed());
    }
  }

  /** What came of a command. */
  record Typed(int exit, String printed) {}

  /** Submits the jar through the job manager, which runs its main method; gives the job's id. */
  String run(Path config, @Nullable String savepoint, String... arguments) {
    List<String> line = new ArrayList<>(List.of("-c", config.toString()));
    line.addAll(List.of(arguments));
    JsonNode answer = rest.run(ClusterJar.NAME, line, savepoint);
    return answer.path("jobid").asText();
  }

  /** The ends of all logs, for a failure. */
  String tails() {
    return jobManager.tail()
        + taskManagers.stream().map(ChildJvm::tail).collect(Collectors.joining("\n----\n"));
  }

  @Override
  public void close() {
    taskManagers.forEach(ChildJvm::close);
    jobManager.close();
    jobManagerProxy.close();
  }
}
