package io.tidemark.merge;

import io.tidemark.change.Change;
import io.tidemark.change.Mark;
import io.tidemark.change.Told;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The change of a key that stands at the end of a batch.
 *
 * @param change with the whole row that is to stand
 * @param replaced the mark of the row that this change replaces or deletes; null if the key has no
 *     row in the table, and so nothing is to be deleted
 * @param kept by column what decides it, where that is not the change; empty for nearly all
 */
public record Winner(Change change, @Nullable Mark replaced, SortedMap<String, Told> kept) {

  /** A change that has all its columns itself. */
  public Winner(Change change, @Nullable Mark replaced) {
    this(change, replaced, Mark.NOTHING_KEPT);
  }
}
