/**
 * The commands that work on a configuration file: {@code run}, {@code check}, {@code status} and
 * {@code show}.
 *
 * <p>Data goes to standard output, everything else to standard error. Exit codes are those of
 * {@link io.tidemark.failure.ExitCode}.
 */
@NullMarked
package io.tidemark.cli;

import org.jspecify.annotations.NullMarked;
