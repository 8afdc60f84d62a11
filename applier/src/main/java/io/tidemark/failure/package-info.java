/**
 * Failures by who must act on them.
 *
 * <p>Pure: an exception says what was found, what was expected and what to do; nothing here knows
 * how a job is run.
 */
@NullMarked
package io.tidemark.failure;

import org.jspecify.annotations.NullMarked;
