/**
 * What a commit says about itself, and how it is decided whether it still has to be made.
 *
 * <p>The table is the only witness that survives a crash, so every commit carries a record of the
 * offsets it stands for, and every attempt first asks the table's record. Pure: the table is behind
 * {@link io.tidemark.commit.TableLedger}; no Flink, no Iceberg, no clock.
 */
@NullMarked
package io.tidemark.commit;

import org.jspecify.annotations.NullMarked;
