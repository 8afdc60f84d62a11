package io.tidemark.config;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations and sizes in the forms that Flink takes: {@code 10s}, {@code 30 d}, {@code 64mb}. */
final class Quantities {
  static final Syntax<Duration> DURATION =
      Syntax.text("a duration such as 10s, 5min, 1h or 30d", Quantities::duration);
  static final Syntax<Long> MEMORY =
      Syntax.text("a size such as 64mb or 1gb", Quantities::memoryBytes);

  private static final Pattern QUANTITY = Pattern.compile("(\\d{1,18})\\s*([a-zµ]*)");
  private static final Map<String, Duration> TIME_UNITS =
      Map.ofEntries(
          Map.entry("ns", Duration.ofNanos(1)),
          Map.entry("us", Duration.ofNanos(1000)),
          Map.entry("µs", Duration.ofNanos(1000)),
          Map.entry("ms", Duration.ofMillis(1)),
          Map.entry("", Duration.ofMillis(1)),
          Map.entry("s", Duration.ofSeconds(1)),
          Map.entry("sec", Duration.ofSeconds(1)),
          Map.entry("m", Duration.ofMinutes(1)),
          Map.entry("min", Duration.ofMinutes(1)),
          Map.entry("h", Duration.ofHours(1)),
          Map.entry("d", Duration.ofDays(1)));
  private static final Map<String, Integer> SIZE_SHIFTS =
      Map.of("", 0, "b", 0, "k", 10, "kb", 10, "m", 20, "mb", 20, "g", 30, "gb", 30, "t", 40);

  private Quantities() {}

  /** Without a unit it is milliseconds, as in Flink. */
  static Duration duration(String text) {
    Matcher matcher = QUANTITY.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException();
    }
    Duration unit = TIME_UNITS.get(matcher.group(2));
    if (unit == null) {
      throw new IllegalArgumentException("the units are ns, us, ms, s, min, h and d");
    }
    try {
      return unit.multipliedBy(Long.parseLong(matcher.group(1)));
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("it is too long", e);
    }
  }

  /** Without a unit it is bytes, as in Flink. */
  static long memoryBytes(String text) {
    Matcher matcher = QUANTITY.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException();
    }
    Integer shift = SIZE_SHIFTS.get(matcher.group(2));
    if (shift == null) {
      throw new IllegalArgumentException("the units are b, kb, mb, gb and t");
    }
    long number = Long.parseLong(matcher.group(1));
    if (number > Long.MAX_VALUE >> shift) {
      throw new IllegalArgumentException("it is too large");
    }
    return number << shift;
  }
}
