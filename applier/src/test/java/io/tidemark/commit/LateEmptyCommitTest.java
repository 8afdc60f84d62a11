package io.tidemark.commit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.TopicPartition;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A commit without files that arrives after a restart. What it was made for, marks behind the last
 * record, the restarted job does not know: it may have nothing to commit itself.
 */
class LateEmptyCommitTest {
  private static final Retention DAYS = new Retention(3);

  private final Slow table = new Slow();
  private byte[] state = {};

  @BeforeEach
  void sendOneWhoseAnswerDoesNotCome() throws IOException {
    CommitSequence job = new CommitSequence(table, "job", DAYS, null);
    job.close(1, "c1", List.of(), read(10));
    job.commit(1, true);
    job.close(2, "late", List.of(), read(10));
    state = job.save();
    table.isSlow = true;
    assertThatThrownBy(() -> job.commit(2, true, progress -> read(12)))
        .isInstanceOf(UnavailableException.class);
  }

  @Test
  void itIsKnownAlsoAfterACommitThatHadNothingToSay() throws IOException {
    CommitSequence restored = restored();
    restored.settle();
    restored.close(3, "same", List.of(), read(10));
    assertThat(restored.commit(3, true)).as("Kafka tells of no marks").isFalse();
    table.arrives();

    restored.close(4, "c4", List.of(), read(20));
    restored.commit(4, true);

    assertThat(ids()).containsExactly("c1", "late", "c4");
  }

  @Test
  void soIsOneThatArrivedBeforeThat() throws IOException {
    CommitSequence restored = restored();
    restored.settle();
    table.arrives();
    restored.close(3, "same", List.of(), read(10));
    assertThat(restored.commit(3, true)).isFalse();
    state = restored.save();

    restored.close(4, "c4", List.of(), read(20));
    restored.commit(4, true);
    assertThat(ids()).containsExactly("c1", "late", "c4");
    table.records.remove(2);
    CommitSequence again = restored();
    again.settle();
    again.close(4, "d4", List.of(), read(20));
    again.commit(4, true);
    assertThat(ids()).containsExactly("c1", "late", "d4");
  }

  @Test
  void itDoesNotLandAboveACommitThatWasMadeMeanwhile() throws IOException {
    CommitSequence restored = restored();
    restored.settle();
    restored.close(3, "c3", List.of(), read(20));
    restored.commit(3, true);
    table.arrives();
    restored.close(4, "c4", List.of(), read(30));
    restored.commit(4, true);

    assertThat(ids()).containsExactly("c1", "c3", "c4");
  }

  /** An idle table's job that starts again and again. */
  @Test
  void whatIsKeptOfItAreItsIds() throws IOException {
    int before = 0;
    for (int i = 3; i < 13; i++) {
      before = state.length;
      CommitSequence restored = restored();
      restored.settle();
      restored.close(i, "same-" + i, List.of(), read(10));
      restored.commit(i, true);
      restored.close(i + 1, "more-" + i, List.of(), read(10));
      state = restored.save();
    }
    assertThat(state.length - before).isLessThan(50);
  }

  private CommitSequence restored() throws IOException {
    return CommitSequence.restore(table, "job", DAYS, state);
  }

  private List<String> ids() {
    return table.records.stream().map(CommitRecord::commitId).toList();
  }

  /** A catalog to which one commit is long on its way. */
  private static final class Slow extends InMemoryLedger {
    private boolean isSlow;
    private @Nullable CommitRecord underWay;

    @Override
    public @Nullable CommitRecord commit(List<Batch> newBatches, CommitRecord record) {
      if (isSlow) {
        isSlow = false;
        underWay = record;
        throw new UnavailableException("no answer", new IllegalStateException());
      }
      return super.commit(newBatches, record);
    }

    private void arrives() {
      super.commit(List.of(), requireNonNull(underWay));
    }
  }

  private static Progress read(long offset) {
    return new Progress(
        Map.of(
            new TopicPartition("orders", 0), PartitionProgress.startingAt(0).skippingTo(offset)));
  }
}
