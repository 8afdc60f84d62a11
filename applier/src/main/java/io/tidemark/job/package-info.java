/**
 * Puts the parts together: plans a start from what Kafka and the table say, builds the dataflow,
 * runs it.
 *
 * <p>The only package but {@code cli} that sees everything, and the only one that reads a clock. It
 * decides nothing about changes.
 */
@NullMarked
package io.tidemark.job;

import org.jspecify.annotations.NullMarked;
