package io.tidemark.merge;

import io.tidemark.change.Change;
import org.jspecify.annotations.Nullable;

/**
 * The change of a key that stands at the end of a batch.
 *
 * @param replaced where the row lies that this change replaces or deletes, as {@link Placement}
 *     gave it; null if the key has no row in the table, and so nothing is to be deleted
 */
@SuppressWarnings("ArrayRecordComponent") // passed through, never compared
public record Winner(Change change, byte @Nullable [] replaced) {}
