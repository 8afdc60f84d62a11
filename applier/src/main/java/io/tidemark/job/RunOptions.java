package io.tidemark.job;

import io.tidemark.config.StartFrom;

/**
 * What is decided anew for each run.
 *
 * @param untilCaughtUp whether the run ends when all that was in Kafka at its start is committed
 */
public record RunOptions(boolean untilCaughtUp, StartFrom from) {}
