package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.commit.CommitRefusedException;
import io.tidemark.failure.Failure;
import io.tidemark.failure.FailureKind;
import io.tidemark.failure.RefusedException;
import java.net.ConnectException;
import java.sql.SQLException;
import java.util.Map;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.RESTException;
import org.apache.iceberg.jdbc.UncheckedSQLException;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
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
  void aCatalogThatIsAwayIsNamedWithItsAddress() {
    RESTException away =
        new RESTException(
            new ConnectException("Connect to http://localhost:8181 failed: Connection refused"),
            "Error occurred while processing %s request",
            "GET");
    assertThat(FailureReport.explain(away))
        .isEqualTo(
            new Failure(
                FailureKind.UNAVAILABLE,
                "The catalog (catalog.properties): Error occurred while processing GET request:"
                    + " ConnectException: Connect to http://localhost:8181 failed: Connection"
                    + " refused"));
    assertThat(FailureReport.explain(new RESTException("Out of order")).message())
        .isEqualTo("The catalog (catalog.properties): Out of order");
    UncheckedSQLException database =
        new UncheckedSQLException(
            new SQLException("Connection to pg:5432 refused.", new ConnectException("refused")),
            "Failed to connect: %s",
            "jdbc:postgresql://pg:5432/lake?user=me&password=1234");
    assertThat(FailureReport.explain(database))
        .isEqualTo(
            new Failure(
                FailureKind.UNAVAILABLE,
                "The catalog (catalog.properties): Failed to connect:"
                    + " jdbc:postgresql://pg:5432/lake?user=me&password=******: SQLException:"
                    + " Connection to pg:5432 refused."));
  }

  /** It is no matter of configuration, and trying again does not help either. */
  @Test
  void whatKafkaLostUnderAJobIsRefusedWithEachPartition() {
    TopicPartition p0 = new TopicPartition("orders", 0);
    TopicPartition p1 = new TopicPartition("orders", 1);
    String what =
        ", and no job may skip what is not there. Start without state (./tidemark run -c FILE): it"
            + " goes on from the table's record, or names the range that is missing and what"
            + " --accept-gap does";

    assertThat(
            FailureReport.explain(
                new RuntimeException(
                    new OffsetOutOfRangeException("fetch", Map.of(p1, 7L, p0, 12L)))))
        .isEqualTo(
            new Failure(
                FailureKind.REFUSED,
                "Kafka does not have the offset that comes next: partition orders-0, offset 12;"
                    + " partition orders-1, offset 7"
                    + what));
    assertThat(FailureReport.explain(new NoOffsetForPartitionException(p1)))
        .isEqualTo(
            new Failure(
                FailureKind.REFUSED,
                "Kafka does not have the offset that comes next: partition orders-1" + what));
    assertThat(FailureKind.REFUSED.exitCode()).isEqualTo(3);
  }

  @Test
  void whatIsRefusedIsNoBug() {
    assertThat(FailureReport.explain(new CommitRefusedException("The tombstones are gone")))
        .isEqualTo(new Failure(FailureKind.REFUSED, "The tombstones are gone"));
    assertThat(FailureReport.explain(RefusedException.newerState("A row in state", 9, 1)).kind())
        .isEqualTo(FailureKind.REFUSED);
  }
}
