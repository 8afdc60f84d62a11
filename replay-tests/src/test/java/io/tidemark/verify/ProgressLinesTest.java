package io.tidemark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

class ProgressLinesTest {

  /** A table of few rows whose first one is read long after the log: no line of its first row. */
  @Test
  void aLineComesWhenSomethingHasLastedForTheInterval() {
    AtomicLong nanos = new AtomicLong();
    StringWriter out = new StringWriter();
    ProgressLines progress =
        new ProgressLines(new PrintWriter(out), Duration.ofNanos(5), nanos::get);

    LongConsumer rows = progress.of("Rows");
    nanos.set(100);
    rows.accept(1);
    nanos.set(104);
    rows.accept(2);
    assertThat(out.toString()).isEmpty();

    nanos.set(105);
    rows.accept(3);
    progress.of("Records", 10).accept(1);
    rows.accept(4);
    assertThat(out.toString()).isEqualTo("Rows: 3%n".formatted());
  }
}
