package io.tidemark.replay;

import io.tidemark.fault.Parts;
import io.tidemark.script.EventScript;
import io.tidemark.script.ScriptOptions;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Decoder, ranks, rule and gate against the oracle, many times. */
class FoldReplayTest {

  private static final int CASES_PER_LOG = 10;

  @Test
  void everyReadingOfALogIsItsFold() {
    Runs runs = Runs.of("pure", "FoldReplayTest");
    runs.forEach(
        CASES_PER_LOG,
        2,
        seed -> {
          Random random = new Random(seed);
          ScriptOptions options = options(seed, random);
          EventScript script = EventScript.of(options);
          FoldCase.Prepared log = new FoldCase.Prepared(script.log(), Parts.REAL);
          runs.count("keys", (long) CASES_PER_LOG * log.keys());
          for (int i = 0; i < CASES_PER_LOG; i++) {
            FoldCase one = new FoldCase(log, random);
            try {
              if (random.nextInt(4) == 0 && !tiesOfUnsent(options)) {
                one.permute();
              } else {
                one.read();
              }
              one.happened().forEach(runs::fault);
              runs.count("snapshots checked", one.checked());
            } catch (AssertionError e) {
              throw new AssertionError(e.getMessage() + "; " + script + ": " + one, e);
            }
          }
        });
  }

  /**
   * A row with columns of older changes keeps the offset of the first copy, by which it is looked
   * for. So a tie between two copies must be read between them, as Kafka shows it.
   */
  private static boolean tiesOfUnsent(ScriptOptions options) {
    return options.ties() > 0 && options.unsent().share() > 0;
  }

  static ScriptOptions options(long seed, Random random) {
    return ScriptOptions.of(seed)
        .partitions(1 + random.nextInt(3))
        .size(2 + random.nextInt(4), 4 + random.nextInt(12))
        .resnapshots(random.nextInt(3))
        .ties(random.nextInt(3) * 0.2)
        .truncates(random.nextInt(4) == 0 ? 1 : 0)
        .unsent(random.nextInt(3) * 0.35, random.nextBoolean())
        .repeated(random.nextInt(3), random.nextInt(8), random.nextInt(6) == 0 ? 1 : 0);
  }
}
