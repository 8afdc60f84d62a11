package io.tidemark.debezium;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Seeds;
import io.tidemark.corpus.TextRow;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Damaged messages end as outcomes, whatever the damage and the format, in memory that their bytes
 * explain. A tenth of as many goes to the job's own rows, in replay-tests.
 */
class DecodeFuzzTest {

  @Test
  void twoHundredThousandOfThemWereRecorded() {
    assertThat(
            Arrays.stream(DamagedLog.values())
                .filter(DamagedLog::isRecorded)
                .mapToInt(DamagedLog::mutations)
                .sum())
        .isGreaterThanOrEqualTo(200_000);
  }

  /** Within seconds, unless one hangs: a loop without end does not heed an interrupt. */
  @ParameterizedTest
  @EnumSource(DamagedLog.class)
  @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void everyDamagedMessageHasAnOutcome(DamagedLog log) {
    DamageRun run = new DamageRun(log, Seeds.random("DecodeFuzzTest." + log, 31), TextRow::new);

    Map<String, Integer> outcomes = run.run(log.mutations());

    System.out.println("DecodeFuzzTest." + log + ": " + outcomes);
    assertThat(outcomes).containsKeys("whole Decoded", "Decoded", "Malformed");
    assertThat(outcomes.get("Malformed")).isGreaterThan(log.mutations() / 10);
    assertThat(outcomes).doesNotContainKey("whole Malformed");
  }
}
