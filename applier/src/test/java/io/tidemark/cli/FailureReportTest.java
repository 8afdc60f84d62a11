package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.commit.CommitRefusedException;
import io.tidemark.failure.Failure;
import io.tidemark.failure.FailureKind;
import io.tidemark.failure.RefusedException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.junit.jupiter.api.Test;

/** What is said of exceptions that a job ends with. */
class FailureReportTest {

  @Test
  void aDroppedTableIsNamedWithWhatToDo() {
    Throwable dropped = new NoSuchTableException("Table does not exist: %s", "shop.orders");
    assertThat(FailureReport.explain(new RuntimeException(dropped)))
        .isEqualTo(
            new Failure(
                FailureKind.BAD_TABLE,
                "Table does not exist: shop.orders. If it was dropped on purpose, start without state"
                    + " (./tidemark run -c FILE): that makes it anew, from kafka.start. If not, bring"
                    + " it back first"));
  }

  @Test
  void whatIsRefusedIsNoBug() {
    assertThat(FailureReport.explain(new CommitRefusedException("The tombstones are gone")))
        .isEqualTo(new Failure(FailureKind.REFUSED, "The tombstones are gone"));
    assertThat(FailureReport.explain(RefusedException.newerState("A row in state", 9, 1)).kind())
        .isEqualTo(FailureKind.REFUSED);
  }
}
