package io.tidemark.sandbox;

import io.tidemark.sandbox.Jobs.From;
import io.tidemark.sandbox.Jobs.Job;
import io.tidemark.script.OrdersTable;
import io.tidemark.script.Workload;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tidemark sandbox}. */
@Command(
    name = "sandbox",
    description = {
      "Runs PostgreSQL, Debezium, Kafka and the job in this process until Ctrl-C, without Docker.",
      "",
      "What you change in the PostgreSQL table shop.orders shows up in the Iceberg table shop.orders"
          + " within seconds. Other tables are not captured. All is deleted at the end."
    })
final class SandboxCommand implements Callable<Integer> {

  private static final int ROWS = 20;
  private static final long SEED = 1;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      converter = Seconds.class,
      description = "End by itself after a time such as 30s, 10m or 2h.")
  private @Nullable Duration duration;

  @Spec private @Nullable CommandSpec spec;

  private final Jobs jobs;

  SandboxCommand(Jobs jobs) {
    this.jobs = jobs;
  }

  @Override
  public Integer call() throws SQLException {
    Narration tell = new Narration(Objects.requireNonNull(spec).commandLine().getOut());
    try (Interruption interruption = Interruption.ofThisThread()) {
      try {
        run(tell);
        tell.plain("The time is over. Everything is stopped and deleted.");
        return 0;
      } catch (RuntimeException e) {
        if (interruption.happened()) {
          tell.plain("Everything is stopped and deleted.");
          return 0;
        }
        throw e;
      }
    }
  }

  private void run(Narration tell) throws SQLException {
    try (WorkDir dir = WorkDir.create("tidemark-sandbox-")) {
      tell.step("Starting PostgreSQL and Kafka");
      try (Stack stack = Stack.start(StackSettings.named("sandbox"), dir.path())) {
        try (Workload workload = new Workload(stack.postgres()::connect, SEED)) {
          workload.insertRows(ROWS);
        }
        tell.step("Starting Debezium");
        DebeziumRelay relay = stack.startRelay();
        relay.awaitShipped(Duration.ofMinutes(1));
        tell.step("Starting the job");
        try (Job job = jobs.start(stack.configFile(), From.RECORDED)) {
          tell.step("Running");
          description(stack, job).forEach(tell::plain);
          watch(relay, job);
        }
      }
    }
  }

  private List<String> description(Stack stack, Job job) {
    EmbeddedPostgres postgres = stack.postgres();
    String show = "  ./tidemark show -c " + stack.configFile() + " " + OrdersTable.NAME;
    return List.of(
        "",
        "PostgreSQL   " + postgres.jdbcUrl(),
        "             " + postgres.psqlCommand(),
        "Table        " + OrdersTable.NAME + " with " + ROWS + " rows; no other table is captured",
        "Kafka        " + stack.kafka().bootstrapServers() + ", topic " + stack.topic(),
        "Warehouse    " + stack.warehouse(),
        "Config       " + stack.configFile(),
        "Flink        " + job.webUi(),
        "",
        "Change something:",
        "",
        "  " + postgres.psqlCommand() + " \\",
        "    -c \"UPDATE shop.orders SET note = 'hello', amount = 12.34 WHERE id = 1\" \\",
        "    -c \"DELETE FROM shop.orders WHERE id = 2\" \\",
        "    -c \"INSERT INTO shop.orders (id, customer) VALUES (1001, 'me')\"",
        "",
        "and look at it, two seconds later, from a second terminal:",
        "",
        show + " --where \"id <= 3\"",
        show + " --count",
        "",
        duration == null
            ? "Ctrl-C ends it."
            : "Ends in " + duration.toSeconds() + " s, or by Ctrl-C.");
  }

  private void watch(DebeziumRelay relay, Job job) {
    long began = System.nanoTime();
    while (duration == null || System.nanoTime() - began < duration.toNanos()) {
      relay.failIfEnded();
      if (!job.isRunning()) {
        job.await();
        throw new IllegalStateException("The job has ended, though nobody told it to");
      }
      try {
        Thread.sleep(200);
      } catch (InterruptedException e) {
        throw new IllegalStateException("Interrupted", e);
      }
    }
  }
}
