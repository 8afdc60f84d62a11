/**
 * Seeded scripts: of what a database's users do ({@link io.tidemark.script.Workload}, which knows
 * JDBC alone), and of the records that a connector would make of it without any database ({@link
 * io.tidemark.script.EventScript}). Neither knows who reads the changes nor how.
 */
@NullMarked
package io.tidemark.script;

import org.jspecify.annotations.NullMarked;
