/** Faults and bugs, planted through the ports that a job is put together from. */
@NullMarked
package io.tidemark.fault;

import org.jspecify.annotations.NullMarked;
