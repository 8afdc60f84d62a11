package io.tidemark.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailuresTest {
  private static final Failures FAILURES =
      new Failures(
          List.of(
              Failures.Rule.of(UncheckedIOException.class, FailureKind.UNAVAILABLE),
              new Failures.Rule<>(
                  IOException.class, FailureKind.BAD_TABLE, e -> "io: " + e.getMessage())));

  @Test
  void theOutermostKnownExceptionDecides() {
    IOException inner = new IOException("disk");

    assertThat(FAILURES.explain(new RuntimeException("x", new UncheckedIOException("away", inner))))
        .isEqualTo(new Failure(FailureKind.UNAVAILABLE, "away"));
    assertThat(FAILURES.explain(new RuntimeException(inner)))
        .isEqualTo(new Failure(FailureKind.BAD_TABLE, "io: disk"));
  }

  @Test
  void whatNobodyKnowsIsABug() {
    assertThat(FAILURES.explain(new RuntimeException(new IllegalStateException("odd"))))
        .isEqualTo(
            new Failure(
                FailureKind.BUG,
                "Unexpected IllegalStateException: odd. This may be a bug in Tidemark; --verbose shows"
                    + " where it happened."));
    assertThat(FAILURES.explain(new NullPointerException()).message())
        .contains("java.lang.NullPointerException");
  }

  @Test
  void causesInACircleEnd() {
    RuntimeException a = new RuntimeException("a");
    a.initCause(new RuntimeException("b", a));

    assertThat(FAILURES.explain(a).kind()).isEqualTo(FailureKind.BUG);
  }

  @Test
  void exitCodesStayWhatScriptsExpect() {
    assertThat(FailureKind.values())
        .extracting(kind -> kind + "=" + kind.exitCode())
        .containsExactly(
            "USAGE=2",
            "BAD_CONFIG=2",
            "BAD_EVENT=3",
            "BAD_TABLE=3",
            "ANOTHER_WRITER=3",
            "REFUSED=3",
            "UNAVAILABLE=3",
            "BUG=3");
  }
}
