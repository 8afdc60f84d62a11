package io.tidemark.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.failure.RefusedException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is said of a job's failures, on a real Flink. */
@Timeout(120)
class LocalClusterTest {
  private static final Map<String, String> SETTINGS =
      Map.of(
          "parallelism.default", "1",
          "restart-strategy.exponential-delay.initial-backoff", "1 ms");

  private static volatile CountDownLatch runsAgain = new CountDownLatch(1);
  private static volatile CountDownLatch end = new CountDownLatch(1);
  private static final AtomicInteger ATTEMPTS = new AtomicInteger();

  @Test
  void onlyAFailureAfterWhichFlinkStartsTheJobAgainIsToldOfItsHealth() throws InterruptedException {
    ATTEMPTS.set(0);
    runsAgain = new CountDownLatch(1);
    end = new CountDownLatch(1);
    try (LocalCluster cluster = LocalCluster.start(SETTINGS)) {
      cluster.submit(
          "fails twice",
          env -> env.fromSequence(1, 1).map(new FailsTwice()).sinkTo(new DiscardingSink<>()));
      runsAgain.await();

      LocalCluster.Health again = cluster.health();
      assertThat(again).isNotNull();
      assertThat(again.failedAt()).isPositive();
      assertThat(again.failure()).hasMessage("once");

      end.countDown();
      assertThatThrownBy(cluster::await).hasRootCauseMessage("for good");
      LocalCluster.Health over = cluster.health();
      assertThat(over).isNotNull();
      assertThat(over.failure()).isNull();
      assertThat(over.failedAt()).isNull();
    }
  }

  private static final class FailsTwice implements MapFunction<Long, Long> {
    private static final long serialVersionUID = 1L;

    @Override
    public Long map(Long value) throws InterruptedException {
      if (ATTEMPTS.incrementAndGet() == 1) {
        throw new IllegalStateException("once");
      }
      runsAgain.countDown();
      end.await();
      throw new SuppressRestartsException(new RefusedException("for good"));
    }
  }
}
