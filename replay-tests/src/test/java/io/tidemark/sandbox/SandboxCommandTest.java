package io.tidemark.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class SandboxCommandTest {

  private final StringWriter out = new StringWriter();

  @Test
  void whatIsTypedIntoPostgresShowsUpInIceberg() throws Exception {
    CommandLine command =
        new CommandLine(new SandboxCommand(new FlinkJobs())).setOut(new PrintWriter(out));
    CompletableFuture<Integer> sandbox =
        CompletableFuture.supplyAsync(() -> command.execute("--for", "20s"));
    Path warehouse = Path.of(printed("Warehouse +(\\S+)", sandbox));
    try (Connection connection =
            DriverManager.getConnection(printed("PostgreSQL +(\\S+)", sandbox));
        Statement statement = connection.createStatement();
        LakeTable lake = LakeTable.in(warehouse)) {
      statement.execute("INSERT INTO shop.orders (id, customer) VALUES (1001, 'me')");
      statement.execute("DELETE FROM shop.orders WHERE id = 2");
      await(
          sandbox,
          () ->
              lake.recorded().isPresent()
                  && lake.rows().byKey().containsKey(1001L)
                  && !lake.rows().byKey().containsKey(2L));
      assertThat(lake.rows().size()).isEqualTo(20);
    }

    assertThat(sandbox.join()).isZero();
    assertThat(warehouse).doesNotExist();
    assertThat(out.toString()).contains("./tidemark show -c ").doesNotContain("null");
  }

  private String printed(String pattern, CompletableFuture<Integer> sandbox) throws Exception {
    Pattern compiled = Pattern.compile("(?m)^" + pattern + "$");
    await(sandbox, () -> compiled.matcher(out.toString()).find());
    Matcher matcher = compiled.matcher(out.toString());
    assertThat(matcher.find()).isTrue();
    return matcher.group(1);
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private void await(CompletableFuture<Integer> sandbox, Condition condition) throws Exception {
    long deadline = System.nanoTime() + Duration.ofMinutes(3).toNanos();
    while (!condition.holds()) {
      assertThat(sandbox).as(out.toString()).isNotDone();
      assertThat(System.nanoTime()).as(out.toString()).isLessThan(deadline);
      Thread.sleep(50);
    }
  }
}
