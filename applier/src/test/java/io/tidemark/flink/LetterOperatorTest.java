package io.tidemark.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.SourceOffset;
import io.tidemark.commit.TopicIds;
import io.tidemark.commit.UnavailableException;
import io.tidemark.debezium.RawRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LetterOperatorTest {
  /** What Kafka says of the topic; nothing for no answer. Static, because operators are copied. */
  private static final List<String> ANSWER = new ArrayList<>();

  private static int questions;

  private static final class Answering implements TopicIds {
    @Override
    public @Nullable String now(String topic) {
      questions++;
      if (ANSWER.isEmpty()) {
        throw new UnavailableException("no broker", new IllegalStateException());
      }
      return ANSWER.get(0);
    }

    @Override
    public int partitions(String topic) {
      throw new AssertionError("letters have the places that they had");
    }

    @Override
    public void close() {}
  }

  @Test
  void lettersWaitUntilTheirTopicIsKnownToBeTheSame() throws Exception {
    try (OneInputStreamOperatorTestHarness<DeadLetter, DeadLetter> job = job("id")) {
      job.processElement(letter(0));
      job.processElement(letter(1));
      assertThat(job.getOutput()).isEmpty();

      job.prepareSnapshotPreBarrier(1);
      assertThat(job.getOutput()).hasSize(2);
      assertThat(questions).isEqualTo(1);

      for (int offset = 2; offset < 2 + LetterOperator.HELD; offset++) {
        job.processElement(letter(offset)); // so many are not held
      }
      assertThat(job.getOutput()).hasSize(2 + LetterOperator.HELD);
      job.processElement(letter(9_999));
      job.endInput();
      assertThat(job.getOutput()).hasSize(3 + LetterOperator.HELD);
    }
  }

  /** They may be of the new topic, and would carry the id of the old one. */
  @Test
  void noLetterOfATopicThatWasCreatedAnewIsWritten() throws Exception {
    try (OneInputStreamOperatorTestHarness<DeadLetter, DeadLetter> job = job("another id")) {
      job.processElement(letter(0));
      assertThatThrownBy(() -> job.prepareSnapshotPreBarrier(1))
          .isInstanceOf(SuppressRestartsException.class)
          .rootCause()
          .hasMessageContaining("it was deleted and created anew while the job ran");
      assertThat(job.getOutput()).isEmpty();
    }
  }

  @Test
  void withoutAnAnswerNoneIsWritten() throws Exception {
    try (OneInputStreamOperatorTestHarness<DeadLetter, DeadLetter> job = job(null)) {
      job.processElement(letter(0));
      assertThatThrownBy(() -> job.prepareSnapshotPreBarrier(1))
          .isInstanceOf(UnavailableException.class);
      assertThat(job.getOutput()).isEmpty();
    }
  }

  private static OneInputStreamOperatorTestHarness<DeadLetter, DeadLetter> job(
      @Nullable String answer) throws Exception {
    questions = 0;
    ANSWER.clear();
    if (answer != null) {
      ANSWER.add(answer);
    }
    OneInputStreamOperatorTestHarness<DeadLetter, DeadLetter> job =
        new OneInputStreamOperatorTestHarness<>(
            new LetterOperator(Map.of("orders", "id"), Answering::new));
    job.setup(Types.DEAD_LETTER.createSerializer(job.getExecutionConfig().getSerializerConfig()));
    job.open();
    return job;
  }

  private static StreamRecord<DeadLetter> letter(long offset) {
    RawRecord record =
        new RawRecord(new SourceOffset("orders", 0, offset), 0, null, new byte[1], Map.of());
    return new StreamRecord<>(new DeadLetter(record, "no JSON", null));
  }
}
