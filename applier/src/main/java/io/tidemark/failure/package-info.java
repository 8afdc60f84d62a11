/**
 * Failures by who must act, each with the exit code that follows.
 *
 * <p>Pure: what a broker's or catalog's own exceptions mean is told by the caller, as rules.
 */
@NullMarked
package io.tidemark.failure;

import org.jspecify.annotations.NullMarked;
