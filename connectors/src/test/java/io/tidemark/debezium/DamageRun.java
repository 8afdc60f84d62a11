package io.tidemark.debezium;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Allocated;
import io.tidemark.debezium.DecodeResult.Decoded;
import io.tidemark.debezium.DecodeResult.Malformed;
import io.tidemark.row.RowShape;
import io.tidemark.row.RowWriter;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Decodes damaged messages of a log. Each must end as an outcome, with a bounded row or bounded
 * words, and with no more memory than its bytes explain.
 */
public final class DamageRun {
  /** No damage makes much more of a message than there was. */
  private static final int MAX_ROW = 1 << 20;

  private static final int MAX_TEXT = 2000;

  /** A schema becomes a tree of its parts. */
  private static final long BYTES_PER_BYTE = 64;

  /** A new name makes the parser copy its table of names, of which it keeps some thousands. */
  private static final long FIXED_BYTES = 4 << 20;

  private final DamagedLog log;
  private final Random random;
  private final ChangeDecoder decoder;
  private final ShapeReader shapes;
  private final Map<String, Integer> outcomes = new TreeMap<>();

  /** A run over a log, whose rows go to writers of that kind. */
  public DamageRun(DamagedLog log, Random random, Function<RowShape, RowWriter> writers) {
    this.log = log;
    this.random = random;
    this.decoder = log.decoder(writers);
    this.shapes = log.shapes();
  }

  /**
   * Decodes each message as it is, and then so many damaged ones.
   *
   * @return how many ended how, by the outcome's name; with {@code whole} in front, of those that
   *     were not damaged
   */
  public Map<String, Integer> run(int mutations) {
    Damage damage = new Damage(random);
    List<RawRecord> seeds = log.records();
    seeds.forEach(seed -> count("whole " + name(decoder.decode(seed)))); // loads classes, too
    for (int i = 0; i < mutations; i++) {
      RawRecord seed = seeds.get(random.nextInt(seeds.size()));
      RawRecord damaged = damage.to(seed);
      try {
        count(decoded(damaged));
        if (i % 10 == 0) {
          count(shape(damaged));
        }
      } catch (Throwable thrown) {
        throw new AssertionError("mutation " + i + " of " + seed.at(), thrown);
      }
    }
    return outcomes;
  }

  private void count(String outcome) {
    outcomes.merge(outcome, 1, Integer::sum);
  }

  private String decoded(RawRecord record) {
    Allocated.Result<DecodeResult> result = Allocated.by(() -> decoder.decode(record));
    requireBounded(record, result.bytes());
    if (result.value() instanceof Decoded row) {
      assertThat(row.row().length).isLessThan(MAX_ROW);
    } else if (result.value() instanceof Malformed malformed) {
      assertThat(malformed.problem().length()).isLessThan(MAX_TEXT);
    }
    return name(result.value());
  }

  private static String name(DecodeResult result) {
    return result.getClass().getSimpleName();
  }

  private String shape(RawRecord record) {
    Allocated.Result<ShapeResult> result = Allocated.by(() -> shapes.read(record));
    requireBounded(record, result.bytes());
    if (result.value() instanceof ShapeResult.Refused refused) {
      assertThat(refused.reason().length()).isLessThan(MAX_TEXT);
    }
    assertThat(shapes.keyNames(record).size()).isLessThan(MAX_TEXT);
    return "shape " + result.value().getClass().getSimpleName();
  }

  private void requireBounded(RawRecord record, long allocated) {
    long bytes = length(record.key()) + length(record.value());
    assertThat(allocated)
        .as("bytes allocated for a message of %s bytes", bytes)
        .isLessThan(FIXED_BYTES + BYTES_PER_BYTE * bytes);
  }

  private static long length(byte[] bytes) {
    return bytes == null ? 0 : bytes.length;
  }
}
