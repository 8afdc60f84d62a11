package io.tidemark.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.apache.iceberg.data.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo's own steps and comparison, with a stand-in for the job. */
class DemoStepsTest {

  private static final DemoSettings SETTINGS = new DemoSettings(1_000, 7);

  @TempDir Path dir;

  private final StringWriter printed = new StringWriter();

  @Test
  void everyLineHoldsWhenTheTableIsRight() throws Exception {
    try (Stack stack = Stack.start(StackSettings.named("demo"), dir)) {
      Proof proof = run(stack, new CopyingJobs(stack));

      assertThat(proof.render())
          .filteredOn(line -> line.startsWith("("))
          .hasSize(5)
          .allSatisfy(line -> assertThat(line).endsWith("rows changed: 0"));
      assertThat(proof.holds()).isTrue();
      assertThat(printed.toString()).contains("killed when ").contains("comes again");
    }
  }

  @Test
  void oneChangedCellFailsItsLineAndIsNamed() throws Exception {
    try (Stack stack = Stack.start(StackSettings.named("demo"), dir)) {
      Proof proof =
          run(
              stack,
              new CopyingJobs(stack) {
                private int runs;

                @Override
                void tamper(List<Record> rows) {
                  runs++;
                  if (runs == 2) {
                    Record row = rows.get(0);
                    row.setField("qty", row.getField("qty") == null ? 1 : null);
                  }
                }
              });

      assertThat(proof.holds()).isFalse();
      List<String> lines = proof.render();
      assertThat(lines)
          .filteredOn(line -> line.startsWith("(a)"))
          .first()
          .asString()
          .endsWith("rows changed: 0");
      assertThat(lines)
          .filteredOn(line -> line.startsWith("(b)"))
          .first()
          .asString()
          .endsWith("rows changed: 1   FAILED");
      assertThat(lines).anyMatch(line -> line.matches(" +key \\d+ column qty: expected .*"));
    }
  }

  private Proof run(Stack stack, Jobs jobs) throws Exception {
    return Demo.run(SETTINGS, stack, jobs, new Narration(new PrintWriter(printed)));
  }
}
