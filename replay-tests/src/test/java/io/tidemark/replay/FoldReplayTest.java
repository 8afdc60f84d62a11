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
          EventScript script = EventScript.of(options(seed, random));
          FoldCase.Prepared log = new FoldCase.Prepared(script.log(), Parts.REAL);
          runs.count("keys", (long) CASES_PER_LOG * log.keys());
          for (int i = 0; i < CASES_PER_LOG; i++) {
            FoldCase one = new FoldCase(log, random);
            try {
              if (random.nextInt(4) == 0) {
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
   * Ties, or columns that are not sent: a row with columns of older changes keeps the offset of the
   * first copy, by which it is looked for. A replay from below the record, which reads a tie once
   * more, shows such a column as the tie has it until the next copy is read.
   */
  static ScriptOptions options(long seed, Random random) {
    double ties = random.nextInt(3) * 0.2;
    return ScriptOptions.of(seed)
        .partitions(1 + random.nextInt(3))
        .size(2 + random.nextInt(4), 4 + random.nextInt(12))
        .resnapshots(random.nextInt(3))
        .ties(ties)
        .truncates(random.nextInt(4) == 0 ? 1 : 0)
        .unsent(ties > 0 ? 0 : (1 + random.nextInt(2)) * 0.35, random.nextBoolean())
        .repeated(random.nextInt(3), random.nextInt(8), random.nextInt(6) == 0 ? 1 : 0);
  }
}
