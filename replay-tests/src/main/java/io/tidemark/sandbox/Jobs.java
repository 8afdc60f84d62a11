package io.tidemark.sandbox;

import java.nio.file.Path;

/** Starts jobs from the topic to the table, always without any Flink state of an earlier one. */
interface Jobs {

  /** Where a job begins to read. */
  enum From {
    /** Where the table's record ends; at the topic's beginning without one. */
    RECORDED,
    /** At offset 0 of every partition. */
    EARLIEST
  }

  /** A job that goes on until it is killed. */
  Job start(Path configFile, From from);

  /** A job that ends when everything that is in the topic now is applied. */
  Job startUntilCaughtUp(Path configFile, From from);

  /** A job that was started. */
  interface Job extends AutoCloseable {

    /** Address of Flink's web UI while the job runs. */
    String webUi();

    boolean isRunning();

    /** How many records it has read from the topic, tombstones included; exact once it is over. */
    long recordsRead();

    /**
     * Waits for the end of a job that ends.
     *
     * @throws RuntimeException if it has failed
     */
    void await();

    /** Tears it down at once, its state is lost. */
    void kill();

    @Override
    void close();
  }
}
