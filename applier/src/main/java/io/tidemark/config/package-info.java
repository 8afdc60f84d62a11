/**
 * The settings of a job, read once from a YAML file and checked as a whole.
 *
 * <p>A settings record cannot be wrong: every problem of a file is found before one is made, and
 * all are reported together, each with its key, its line, what was found and what was expected.
 * Pure: no Flink, no Iceberg, no Kafka; what a broker or a catalog must be asked for is not checked
 * here.
 */
@NullMarked
package io.tidemark.config;

import org.jspecify.annotations.NullMarked;
