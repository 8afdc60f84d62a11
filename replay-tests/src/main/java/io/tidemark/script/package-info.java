/**
 * Seeded scripts of what a database's users do. Knows JDBC alone: it neither knows who reads the
 * changes nor how.
 */
@NullMarked
package io.tidemark.script;

import org.jspecify.annotations.NullMarked;
