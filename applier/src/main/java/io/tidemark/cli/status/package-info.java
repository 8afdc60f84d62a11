/**
 * {@code tidemark status}: what the tables' own records and metadata say beside what Kafka has.
 * Reads no files of a table.
 */
@NullMarked
package io.tidemark.cli.status;

import org.jspecify.annotations.NullMarked;
