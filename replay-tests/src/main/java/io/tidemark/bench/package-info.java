/**
 * The benchmark: one seeded topic, drained by Tidemark and by the pipeline that Flink's and
 * Iceberg's own documentation gives, each in its own process.
 *
 * <p>Knows Tidemark as its users do, by settings and a job. The broker is handed in.
 */
@NullMarked
package io.tidemark.bench;

import org.jspecify.annotations.NullMarked;
