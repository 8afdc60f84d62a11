package io.tidemark.debezium;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Seeds;
import io.tidemark.debezium.DecodeResult.Decoded;
import io.tidemark.debezium.DecodeResult.Malformed;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Damaged messages end as outcomes, whatever the damage and the format: 200,000 of them. */
class DecodeFuzzTest {
  /** No damage makes much more of a message than there was. */
  private static final int MAX_ROW = 1 << 20;

  private static final int MAX_TEXT = 2000;

  /** Within seconds, unless one hangs: a loop without end does not heed an interrupt. */
  @ParameterizedTest
  @EnumSource(DamagedLog.class)
  @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void everyDamagedMessageHasAnOutcome(DamagedLog log) {
    Random random = Seeds.random("DecodeFuzzTest." + log, 31);
    Damage damage = new Damage(random);
    List<RawRecord> seeds = log.records();
    ChangeDecoder decoder = log.decoder();
    ShapeReader shapes = log.shapes();
    Map<String, Integer> outcomes = new TreeMap<>();

    for (RawRecord seed : seeds) {
      outcomes.merge("whole " + decoded(decoder, seed), 1, Integer::sum);
    }
    for (int i = 0; i < log.mutations(); i++) {
      RawRecord seed = seeds.get(random.nextInt(seeds.size()));
      RawRecord damaged = damage.to(seed);
      try {
        outcomes.merge(decoded(decoder, damaged), 1, Integer::sum);
        if (i % 10 == 0) {
          outcomes.merge(shape(shapes, damaged), 1, Integer::sum);
        }
      } catch (Throwable thrown) {
        throw new AssertionError("mutation " + i + " of " + seed.at(), thrown);
      }
    }

    System.out.println("DecodeFuzzTest." + log + ": " + outcomes);
    assertThat(outcomes).containsKeys("whole Decoded", "Decoded", "Malformed");
    assertThat(outcomes.get("Malformed")).isGreaterThan(log.mutations() / 10);
    assertThat(outcomes).doesNotContainKey("whole Malformed");
  }

  private static String decoded(ChangeDecoder decoder, RawRecord record) {
    DecodeResult result = decoder.decode(record);
    if (result instanceof Decoded row) {
      assertThat(row.row().length).isLessThan(MAX_ROW);
    } else if (result instanceof Malformed malformed) {
      assertThat(malformed.problem().length()).isLessThan(MAX_TEXT);
    }
    return result.getClass().getSimpleName();
  }

  private static String shape(ShapeReader shapes, RawRecord record) {
    ShapeResult result = shapes.read(record);
    if (result instanceof ShapeResult.Refused refused) {
      assertThat(refused.reason().length()).isLessThan(MAX_TEXT);
    }
    assertThat(shapes.keyNames(record).size()).isLessThan(MAX_TEXT);
    return "shape " + result.getClass().getSimpleName();
  }
}
