package io.tidemark.commit;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** What Kafka says of its topics while a job reads one of them. */
public interface TopicIds extends AutoCloseable {

  /**
   * Kafka's own id of a topic, as it is now.
   *
   * @return null if the brokers give none
   * @throws UnavailableException if no broker says it, also because there is no such topic now
   */
  @Nullable String now(String topic);

  /**
   * How many partitions a topic has now.
   *
   * @throws UnavailableException if no broker says it, also because there is no such topic now
   */
  int partitions(String topic);

  @Override
  void close();

  /** Makes one where the committer runs. */
  @FunctionalInterface
  interface Factory extends Serializable {

    /** Connects when first asked; used by one thread. */
    TopicIds open();
  }
}
