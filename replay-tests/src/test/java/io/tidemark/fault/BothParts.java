package io.tidemark.fault;

import io.tidemark.flink.CommitOperator;
import io.tidemark.flink.Decoder;
import io.tidemark.merge.BatchWriter;
import io.tidemark.merge.Seed;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a job on Flink that two exchange one after the other.
 *
 * @param outer what it makes of the parts of {@code inner}
 */
public record BothParts(Parts inner, Parts outer) implements Parts {

  @Override
  public Decoder.Factory decoders(Decoder.Factory real) {
    return outer.decoders(inner.decoders(real));
  }

  @Override
  public BatchWriter.Factory writers(BatchWriter.Factory real) {
    return outer.writers(inner.writers(real));
  }

  @Override
  public CommitOperator.LedgerFactory ledgers(CommitOperator.LedgerFactory real) {
    return outer.ledgers(inner.ledgers(real));
  }

  @Override
  public @Nullable Seed seed(@Nullable Seed real) {
    return outer.seed(inner.seed(real));
  }

  @Override
  public Properties consumer(Properties real) {
    return outer.consumer(inner.consumer(real));
  }
}
