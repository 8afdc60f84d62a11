/**
 * A commit version per source database: from what an event says of its place to numbers that
 * compare.
 *
 * <p>One small class per connector behind {@link io.tidemark.debezium.version.VersionReader}. An
 * event that does not say its place is a problem that names the remedy, never the lowest place.
 */
@NullMarked
package io.tidemark.debezium.version;

import org.jspecify.annotations.NullMarked;
