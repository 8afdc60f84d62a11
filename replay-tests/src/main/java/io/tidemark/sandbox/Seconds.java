package io.tidemark.sandbox;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a time such as {@code 30s}, {@code 10m} or {@code 2h}. */
final class Seconds implements ITypeConverter<Duration> {

  private static final Pattern TIME = Pattern.compile("(\\d{1,6})([smh])");

  @Override
  public Duration convert(String text) {
    Matcher time = TIME.matcher(text);
    if (!time.matches()) {
      throw new TypeConversionException(
          "expected a time such as 30s, 10m or 2h, got '" + text + "'");
    }
    long number = Long.parseLong(time.group(1));
    return switch (time.group(2)) {
      case "h" -> Duration.ofHours(number);
      case "m" -> Duration.ofMinutes(number);
      default -> Duration.ofSeconds(number);
    };
  }
}
