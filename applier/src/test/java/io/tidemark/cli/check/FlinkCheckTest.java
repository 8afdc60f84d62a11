package io.tidemark.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FlinkCheckTest {

  @Test
  void misspeltOptionsAreNamed() {
    StringWriter out = new StringWriter();
    FlinkCheck.run(
        Map.of(
            "taskmanager.numberOfTaskSlot", "4",
            "state.backend.rocksdb.memory.manged", "true",
            "s3.access-key", "x",
            "rest.port", "8081"),
        new CheckReport(new PrintWriter(out), text -> text));

    assertThat(out.toString().replace(System.lineSeparator(), "\n"))
        .isEqualTo(
            """
            warn  flink      flink.state.backend.rocksdb.memory.manged is no option that Flink has, and would be ignored
                             -> did you mean state.backend.rocksdb.memory.managed?
            warn  flink      flink.taskmanager.numberOfTaskSlot is no option that Flink has, and would be ignored
                             -> did you mean taskmanager.numberOfTaskSlots?
            """);
  }
}
