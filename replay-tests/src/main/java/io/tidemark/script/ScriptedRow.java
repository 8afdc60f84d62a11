package io.tidemark.script;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table that scripts are about. Its region changes now and then, to move partition.
 */
record ScriptedRow(
    @Nullable String name,
    @Nullable BigDecimal amount,
    int qty,
    String region,
    LocalDate day,
    OffsetDateTime updatedAt) {

  private static final List<String> REGIONS = List.of("north", "east", "south", "west");
  private static final OffsetDateTime START =
      OffsetDateTime.of(2024, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC);

  static ScriptedRow random(Random random) {
    return new ScriptedRow(
        name(random),
        amount(random),
        random.nextInt(100),
        REGIONS.get(random.nextInt(REGIONS.size())),
        LocalDate.of(2024, 1, 1).plusDays(random.nextInt(60)),
        time(random));
  }

  ScriptedRow changed(Random random) {
    boolean moves = random.nextInt(3) == 0;
    return new ScriptedRow(
        random.nextBoolean() ? name : name(random),
        amount(random),
        qty + 1,
        moves ? REGIONS.get(random.nextInt(REGIONS.size())) : region,
        day,
        time(random));
  }

  private static @Nullable String name(Random random) {
    return random.nextInt(6) == 0 ? null : "n-üñ\"" + Integer.toString(random.nextInt(1 << 20), 36);
  }

  private static @Nullable BigDecimal amount(Random random) {
    return random.nextInt(8) == 0
        ? null
        : BigDecimal.valueOf(random.nextInt(2_000_000) - 1_000_000, 2);
  }

  private static OffsetDateTime time(Random random) {
    return START.plus(random.nextInt(Integer.MAX_VALUE), ChronoUnit.MICROS);
  }
}
