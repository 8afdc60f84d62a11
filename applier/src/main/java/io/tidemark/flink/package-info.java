/**
 * The dataflow's operators: shells around the pure rule, with state in and state out.
 *
 * <p>An operator here decides nothing of its own. It knows Flink; it does not know Iceberg, which
 * it reaches through the ports of {@code merge} and {@code commit}, nor how a job is put together.
 */
@NullMarked
package io.tidemark.flink;

import org.jspecify.annotations.NullMarked;
