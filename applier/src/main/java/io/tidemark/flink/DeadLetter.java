package io.tidemark.flink;

import io.tidemark.debezium.RawRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record that could not be decoded, as it was, with the reason.
 *
 * @param problem what was found and what was expected
 * @param ranks as {@link LetterHeaders#RANKS} has it; null if the record was read before
 */
public record DeadLetter(RawRecord record, String problem, @Nullable String ranks) {}
