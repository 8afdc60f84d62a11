/** Rows as the bytes of Flink's binary row format: written by decoders, read by table writers. */
@NullMarked
package io.tidemark.flink.row;

import org.jspecify.annotations.NullMarked;
