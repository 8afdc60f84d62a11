package io.tidemark.iceberg;

import io.tidemark.row.RowShape;
import org.jspecify.annotations.Nullable;

/**
 * What a table is.
 *
 * @param shape its columns without those that Tidemark adds
 * @param versionScheme null if Tidemark never kept it
 * @param columns what the caller remembered with {@link TableDefinition#columns()}; null if nothing
 * @param snapshot id of the current snapshot; null if it has none
 */
public record TableDescription(
    RowShape shape,
    @Nullable String versionScheme,
    @Nullable String columns,
    TableVersion version,
    @Nullable Long snapshot) {}
