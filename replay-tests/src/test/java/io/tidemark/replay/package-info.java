/** The promise, tested: whatever is repeated, lost or killed, every snapshot equals the log. */
@NullMarked
package io.tidemark.replay;

import org.jspecify.annotations.NullMarked;
