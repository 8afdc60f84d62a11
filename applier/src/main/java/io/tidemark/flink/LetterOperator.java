package io.tidemark.flink;

import io.tidemark.commit.TopicIdentity;
import io.tidemark.commit.TopicIds;
import io.tidemark.debezium.RawRecord;
import io.tidemark.failure.RefusedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Holds dead letters back until Kafka has said that their topic is still the one that the job began
 * to read, because a letter carries that one's id. Kafka's consumer does not tell when it goes on
 * in a topic of the same name that was created anew. An id does not come back, so one that is the
 * same after a record was read was its topic's when it was read.
 *
 * <p>Nothing is held over a barrier, so nothing is kept in state. Where the question has no answer
 * the attempt fails, and the letters come again with the records.
 */
public final class LetterOperator extends AbstractStreamOperator<DeadLetter>
    implements OneInputStreamOperator<DeadLetter, DeadLetter>, BoundedOneInput {
  /** So many share a question. */
  static final int HELD = 500;

  private static final long HELD_BYTES = 4L * 1024 * 1024;
  private static final long serialVersionUID = 1L;

  private final HashMap<String, String> began;
  private final TopicIds.Factory topics;

  private transient TopicIds topicIds;
  private transient List<DeadLetter> held;
  private transient long heldBytes;

  /**
   * One that has asked nothing yet.
   *
   * @param began the ids of the topics that the job began to read, as far as they are known
   */
  public LetterOperator(Map<String, String> began, TopicIds.Factory topics) {
    this.began = new HashMap<>(began);
    this.topics = topics;
  }

  @Override
  public void open() throws Exception {
    super.open();
    topicIds = topics.open();
    held = new ArrayList<>();
  }

  @Override
  public void processElement(StreamRecord<DeadLetter> element) {
    DeadLetter letter = element.getValue();
    held.add(letter);
    heldBytes += bytes(letter.record());
    if (held.size() >= HELD || heldBytes >= HELD_BYTES) {
      release();
    }
  }

  private static long bytes(RawRecord record) {
    return length(record.key()) + length(record.value());
  }

  private static long length(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) {
    release();
  }

  @Override
  public void endInput() {
    release();
  }

  private void release() {
    if (held.isEmpty()) {
      return;
    }
    began.forEach(
        (topic, id) -> {
          try {
            TopicIdentity.checkWhileRead(topic, topicIds.now(topic), id);
          } catch (RefusedException e) {
            throw new SuppressRestartsException(e); // it would be refused in every attempt
          }
        });
    held.forEach(letter -> output.collect(new StreamRecord<>(letter)));
    held.clear();
    heldBytes = 0;
  }

  @Override
  public void close() throws Exception {
    if (topicIds != null) {
      topicIds.close();
    }
    super.close();
  }
}
