package io.tidemark.bench;

/**
 * One finished drain.
 *
 * @param used by its process
 * @param written what it left on disk
 */
record Drain(Measured used, Footprint written) {}
