package io.tidemark.commit;

/** The files that all subtasks wrote for one batch. */
public record Batch(BatchKey key, WrittenFiles files) {}
