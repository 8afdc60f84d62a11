package io.tidemark.commit;

import org.jspecify.annotations.Nullable;

/**
 * What a table's history says of one commit.
 *
 * @param commit the commit; null if the history does not hold it
 * @param complete whether the history reaches back to the table's first snapshot: only then does a
 *     missing commit mean that the table does not build on it
 */
public record Lineage(@Nullable CommitRecord commit, boolean complete) {}
