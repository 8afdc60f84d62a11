package io.tidemark.change;

import java.util.List;

/**
 * The columns that a source left out of a row that it sent, because an update had not touched them.
 *
 * @param columns their names, at least one, in ascending order; the change's row has null there,
 *     which says nothing
 * @param insert whether the change made the row anew, so that no older change can tell what the
 *     columns hold: of PostgreSQL the insert that follows from a change of the key, whose values
 *     lie under the old key
 * @param at where the record lies, for messages
 */
public record Unsent(List<String> columns, boolean insert, SourceOffset at) {

  /**
   * Sorts the names.
   *
   * @throws IllegalArgumentException if there is none
   */
  public Unsent {
    if (columns.isEmpty()) {
      throw new IllegalArgumentException("A change without unsent columns has no Unsent");
    }
    columns = columns.stream().sorted().toList();
  }
}
