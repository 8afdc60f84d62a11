package io.tidemark.bench;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * Writes rows as Debezium writes them. A row is a function of seed, key and revision, so that the
 * row before a change need not be remembered.
 */
final class SalesRow {

  private static final String[] STATUSES = {"new", "picked", "packed", "shipped", "delivered"};
  private static final String[] CURRENCIES = {"EUR", "USD", "GBP", "SEK"};
  private static final String[] NAMES = {
    "Ada Byron", "Grace Hopper", "Zoë Müller", "Edgar Codd", "Jim Gray", "Barbara Liskov"
  };
  private static final String[] STREETS = {
    "Harbour Road", "Lange Straße", "Mill Lane", "Quay Street", "Station Approach"
  };
  private static final String[] CITIES = {"Hamburg", "Malmö", "Bristol", "Rotterdam", "Zürich"};
  private static final String[] COUNTRIES = {"DE", "SE", "GB", "NL", "CH"};
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'");
  private static final long FIRST_DAY = 20_089; // 2025-01-01
  private static final long FIRST_SECOND = FIRST_DAY * 86_400;

  private final long seed;

  SalesRow(long seed) {
    this.seed = seed;
  }

  /** Appends the row as a JSON object. */
  void append(StringBuilder out, long key, int revision) {
    long fixed = mix(seed ^ mix(key));
    long changing = mix(fixed + revision);
    number(out.append('{'), "id", key);
    number(out, "customer_id", 1_000_000_000L + part(fixed, 0, 250_000));
    number(out, "product_id", part(fixed, 1, 20_000));
    text(out, "status", STATUSES[part(changing, 0, STATUSES.length)]);
    number(out, "quantity", 1 + part(changing, 1, 40));
    int cents = part(changing, 2, 5_000_000);
    text(out, "price", cents / 100 + (cents % 100 < 10 ? ".0" : ".") + cents % 100);
    name(out, "discount").append(part(changing, 3, 1_000) / 1_000.0).append(',');
    name(out, "paid").append((changing & 1) == 0).append(',');
    text(out, "currency", CURRENCIES[part(fixed, 2, CURRENCIES.length)]);
    String account = Integer.toHexString(part(fixed, 3, Integer.MAX_VALUE));
    text(out, "email", "customer." + account + "@example.com");
    text(out, "ship_name", NAMES[part(fixed, 4, NAMES.length)]);
    text(
        out,
        "ship_street",
        (1 + part(fixed, 5, 300)) + " " + STREETS[part(fixed, 6, STREETS.length)]);
    int place = part(fixed, 7, CITIES.length);
    text(out, "ship_city", CITIES[place]);
    text(out, "ship_country", COUNTRIES[place]);
    int day = part(fixed, 8, 300);
    number(out, "ordered_on", FIRST_DAY + day);
    text(out, "created_at", instant(day, fixed));
    text(out, "updated_at", instant(day + part(changing, 4, 60), changing));
    name(out, "note");
    if (part(changing, 5, 5) == 0) {
      out.append("null}");
    } else {
      out.append("\"rev ").append(revision).append(" ref ");
      out.append(Long.toHexString(mix(changing))).append("\"}");
    }
  }

  private static String instant(int day, long random) {
    long second = FIRST_SECOND + day * 86_400L + part(random, 9, 86_400);
    int nanos = part(random, 10, 1_000_000) * 1_000;
    return MICROS.format(
        LocalDateTime.ofInstant(Instant.ofEpochSecond(second, nanos), ZoneOffset.UTC));
  }

  private static StringBuilder name(StringBuilder out, String name) {
    return out.append('"').append(name).append("\":");
  }

  private static void number(StringBuilder out, String name, long value) {
    name(out, name).append(value).append(',');
  }

  private static void text(StringBuilder out, String name, String value) {
    name(out, name).append('"').append(value).append("\",");
  }

  /** One of several independent numbers below {@code bound} that are in {@code random}. */
  private static int part(long random, int index, int bound) {
    return (int) ((mix(random + index * 0x9E3779B97F4A7C15L) >>> 33) % bound);
  }

  /** The finalizer of SplitMix64. */
  static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
