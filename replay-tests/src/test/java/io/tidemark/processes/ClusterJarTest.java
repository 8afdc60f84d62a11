package io.tidemark.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.oracle.Offsets;
import io.tidemark.oracle.RawEvent;
import io.tidemark.oracle.RawLog;
import io.tidemark.processes.FlinkCluster.Typed;
import io.tidemark.script.EventScript;
import io.tidemark.script.ScriptOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What users type: {@code flink run} with the jar, and Flink's own savepoints. */
@Timeout(300)
class ClusterJarTest {
  private static final String TOPIC = "typed";
  private static final Pattern SAVEPOINT = Pattern.compile("Savepoint completed. Path: (\\S+)");
  private static final Pattern JOB = Pattern.compile("submitted with JobID ([0-9a-f]{32})");

  @TempDir Path dir;

  @Test
  void flinkRunAppliesAndGoesOnFromASavepoint() {
    List<RawEvent> events =
        EventScript.of(
                ScriptOptions.of(21).topic(TOPIC).partitions(ProcessStack.PARTITIONS).size(20, 80))
            .events();
    int half = events.size() / 2;
    try (ProcessStack stack = ProcessStack.start(dir);
        FlinkCluster flink = FlinkCluster.start("typed", dir, stack.storage(), 1)) {
      Path config = stack.config(TOPIC);
      stack.catalogServer().awaitReady();
      stack.broker().createTopic(TOPIC, ProcessStack.PARTITIONS);
      stack.produce(TOPIC, events.subList(0, half));
      flink.awaitReady();

      Typed started = flink.type("run", "-d", jar(), "-c", config.toString());
      assertThat(started.exit()).as(started.printed()).isZero();
      String job = found(JOB, started);
      awaitCaughtUp(stack, flink, job);
      Typed stopped = flink.type("stop", job);
      String savepoint = found(SAVEPOINT, stopped);

      assertRefused(flink, config, "-s", savepoint, "--from", "earliest");
      assertRefused(flink, config, "-s", savepoint, "--until", "caught-up");
      Typed unaligned =
          flink.type(
              "run",
              "-d",
              "-Dexecution.checkpointing.unaligned.enabled=true",
              jar(),
              "-c",
              config.toString());
      assertThat(unaligned.exit()).isNotZero();
      assertThat(unaligned.printed())
          .contains(
              "execution.checkpointing.unaligned.enabled: found true in Flink's own configuration,"
                  + " expected false or no entry")
          .doesNotContain("\tat ");

      stack.produce(TOPIC, events.subList(half, events.size()));
      // Another parallelism than before: what the file leaves out, -p decides.
      Typed restored =
          flink.type("run", "-d", "-p", "1", "-s", savepoint, jar(), "-c", config.toString());
      assertThat(restored.exit()).as(restored.printed()).isZero();
      awaitCaughtUp(stack, flink, found(JOB, restored));

      System.out.println(stack.invariants(TOPIC).caughtUp());
    }
  }

  private static void assertRefused(
      FlinkCluster flink, Path config, String s, String savepoint, String option, String value) {
    Typed typed =
        flink.type("run", "-d", s, savepoint, jar(), "-c", config.toString(), option, value);
    assertThat(typed.exit()).isNotZero();
    assertThat(typed.printed())
        .contains(
            "state is to be restored from " + savepoint + ", and " + option + " is for a start")
        .doesNotContain("\tat ");
  }

  private static void awaitCaughtUp(ProcessStack stack, FlinkCluster flink, String job) {
    RawLog log = stack.log(TOPIC);
    Offsets end = log.end();
    Await.until(
        "the table has all of the log",
        () -> stack.recorded(TOPIC).reach(end),
        () -> flink.rest().status(job) + flink.rest().failure(job) + flink.tails());
  }

  private static String jar() {
    return ClusterJar.path().toString();
  }

  private static String found(Pattern pattern, Typed typed) {
    Matcher matcher = pattern.matcher(typed.printed());
    assertThat(matcher.find()).as(typed.printed()).isTrue();
    return matcher.group(1);
  }
}
