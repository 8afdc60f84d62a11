package io.tidemark.script;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A change as the connector is going to send it.
 *
 * @param row null for a delete
 * @param lsn where it was written to the log
 * @param headers of the record
 * @param unsent columns whose value it leaves out
 */
record ScriptedEvent(
    String op,
    long id,
    @Nullable ScriptedRow row,
    long lsn,
    Map<String, String> headers,
    Set<String> unsent) {}
