package io.tidemark.flink;

import io.tidemark.debezium.RawRecord;

/**
 * A record that could not be decoded, as it was, with the reason.
 *
 * @param problem what was found and what was expected
 */
public record DeadLetter(RawRecord record, String problem) {}
