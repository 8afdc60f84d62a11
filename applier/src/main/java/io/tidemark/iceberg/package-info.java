/**
 * Iceberg tables behind the ports of {@code merge} and {@code commit}: creating and reading them,
 * writing files, and committing with a record.
 *
 * <p>Only this package knows Iceberg. Of Flink it knows the row bytes of {@code flink.row} alone.
 * It reads no wall clock and draws no random numbers of its own.
 */
@NullMarked
package io.tidemark.iceberg;

import org.jspecify.annotations.NullMarked;
