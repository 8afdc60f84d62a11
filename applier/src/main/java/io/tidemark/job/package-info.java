/** Wiring of the job; a stub on this branch. */
@NullMarked
package io.tidemark.job;

import org.jspecify.annotations.NullMarked;
