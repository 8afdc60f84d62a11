package io.tidemark.script;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A change as the connector is going to send it.
 *
 * @param row null for a delete
 * @param lsn where it was written to the log
 * @param headers of the record
 */
record ScriptedEvent(
    String op, long id, @Nullable ScriptedRow row, long lsn, Map<String, String> headers) {}
