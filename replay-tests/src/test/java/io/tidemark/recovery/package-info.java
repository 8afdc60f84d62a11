/** What a start makes of a table, a topic or a state that is not what the last run left. */
@NullMarked
package io.tidemark.recovery;

import org.jspecify.annotations.NullMarked;
