package io.tidemark.iceberg;

import io.tidemark.commit.CommitRecord;
import io.tidemark.row.RowShape;
import org.jspecify.annotations.Nullable;

/**
 * What a table is.
 *
 * @param shape its columns without those that Tidemark adds
 * @param versionScheme null if Tidemark never kept it
 * @param columns what the caller remembered with {@link TableDefinition#columns()}; null if nothing
 * @param snapshot id of the current snapshot; null if it has none
 * @param record the newest own record at that snapshot: both were read at once, so that marks
 *     seeded from the snapshot belong to the record; null if there is none
 * @param seen the state that this describes; null if the catalog does not tell
 */
public record TableDescription(
    RowShape shape,
    @Nullable String versionScheme,
    @Nullable String columns,
    TableVersion version,
    @Nullable Long snapshot,
    @Nullable CommitRecord record,
    @Nullable Sighting seen) {}
