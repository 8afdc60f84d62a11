/** Recorded event logs, the database's own answer to them, and a fold of one into the other. */
@NullMarked
package io.tidemark.corpus;

import org.jspecify.annotations.NullMarked;
