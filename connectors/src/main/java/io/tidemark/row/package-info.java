/**
 * What a row looks like, between the decoders that push values and the engine that stores them.
 *
 * <p>Pure, on the JDK alone. It names the types that a table can have and the one Java value that
 * stands for each; it does not know how a source writes them nor how a table file keeps them.
 */
@NullMarked
package io.tidemark.row;

import org.jspecify.annotations.NullMarked;
