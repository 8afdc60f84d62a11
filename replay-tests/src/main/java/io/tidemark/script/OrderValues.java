package io.tidemark.script;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Random values for the columns of {@link OrdersTable}, the awkward ones among them. */
final class OrderValues {

  private static final double[] ODD_DOUBLES = {
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    -0.0,
    Double.MIN_VALUE,
    -Double.MAX_VALUE,
    0.1 + 0.2
  };
  private static final String[] WORDS = {
    "plain",
    "with, comma",
    "with \"quotes\"",
    "back\\slash",
    "üñí→✓",
    "NULL",
    "",
    "{brace}",
    "tab\there"
  };
  private static final String[] STATUSES = {"new", "paid", "packed", "shipped", "returned"};
  private static final long MICROS_PER_DAY = 86_400_000_000L;
  private static final int YEAR_1900_DAY = -25_567;
  private static final int YEAR_2150_DAY = 65_744;

  private final Random random;

  OrderValues(Random random) {
    this.random = random;
  }

  /** Values for all columns but the key, in the table's order; arrays as {@code String[]}. */
  @Nullable Object[] row() {
    return new @Nullable Object[] {
      customer(),
      orNull(this::amount),
      orNull(() -> random.nextInt(50) - 5),
      status(),
      orNull(this::note),
      orNull(this::date),
      orNull(this::zonedTimestamp),
      orNull(this::timestamp),
      orNull(() -> new UUID(random.nextLong(), random.nextLong())),
      orNull(this::bytes),
      orNull(random::nextBoolean),
      orNull(this::weight),
      orNull(this::tags),
      orNull(this::time),
      orNull(this::json)
    };
  }

  String status() {
    return STATUSES[random.nextInt(STATUSES.length)];
  }

  @Nullable BigDecimal amountOrNull() {
    return orNull(this::amount);
  }

  @Nullable String noteOrNull() {
    return orNull(this::note);
  }

  @Nullable OffsetDateTime zonedTimestampOrNull() {
    return orNull(this::zonedTimestamp);
  }

  private <T> @Nullable T orNull(Supplier<T> value) {
    return random.nextInt(8) == 0 ? null : value.get();
  }

  private String customer() {
    return "customer-" + random.nextInt(5000) + (random.nextInt(10) == 0 ? " Ærøskøbing" : "");
  }

  private BigDecimal amount() {
    long cents =
        random.nextInt(20) == 0
            ? random.nextLong(-999_999_999_999L, 1_000_000_000_000L)
            : random.nextLong(-50_000, 2_000_000);
    return BigDecimal.valueOf(cents, 2);
  }

  private String note() {
    return WORDS[random.nextInt(WORDS.length)] + " " + random.nextInt(1_000_000);
  }

  private LocalDate date() {
    return LocalDate.ofEpochDay(day());
  }

  private LocalDateTime timestamp() {
    return date().atTime(time());
  }

  private OffsetDateTime zonedTimestamp() {
    return timestamp().atOffset(ZoneOffset.ofHours(random.nextInt(25) - 12));
  }

  private LocalTime time() {
    return LocalTime.ofNanoOfDay(random.nextLong(MICROS_PER_DAY) * 1000);
  }

  private long day() {
    return random.nextInt(YEAR_1900_DAY, YEAR_2150_DAY);
  }

  private byte[] bytes() {
    byte[] bytes = new byte[random.nextInt(24)];
    random.nextBytes(bytes);
    return bytes;
  }

  private double weight() {
    return random.nextInt(12) == 0
        ? ODD_DOUBLES[random.nextInt(ODD_DOUBLES.length)]
        : random.nextGaussian() * 100;
  }

  private @Nullable String[] tags() {
    @Nullable String[] tags = new @Nullable String[random.nextInt(4)];
    for (int i = 0; i < tags.length; i++) {
      tags[i] = random.nextInt(6) == 0 ? null : WORDS[random.nextInt(WORDS.length)];
    }
    return tags;
  }

  private String json() {
    return "{\"n\": %d, \"price\": %d.50, \"list\": [1, null, \"%c\"], \"deep\": {\"ok\": %b}}"
        .formatted(
            random.nextInt(), random.nextInt(1000), 'a' + random.nextInt(26), random.nextBoolean());
  }
}
