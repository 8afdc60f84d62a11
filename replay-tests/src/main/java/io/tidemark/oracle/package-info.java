/**
 * What a table must hold, worked out a second time: a slow, obvious fold of the raw Kafka records,
 * and the checker that compares a table's snapshots with it. Written from the description of the
 * rule alone. Must not know the decoders, the rule or the job, so that no mistake is made twice.
 */
@NullMarked
package io.tidemark.oracle;

import org.jspecify.annotations.NullMarked;
