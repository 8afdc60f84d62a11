package io.tidemark.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Fills {@code ${NAME}} from the environment and {@code ${file:/path}} from a file. {@code $${} stands
 * for itself. What was filled in is never shown, not even in the message of a problem.
 */
final class Variables {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\$\\{|\\$\\{([^}]*)(}?)");
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final String FILE = "file:";
  private static final long MAX_FILE_BYTES = 1 << 20;

  /** For texts that have none. */
  static final Variables NONE = new Variables(Map.of());

  private final Map<String, String> environment;

  Variables(Map<String, String> environment) {
    this.environment = environment;
  }

  String fill(String key, int line, String written, Problems problems) {
    if (!written.contains("${")) {
      return written;
    }
    Matcher matcher = VARIABLE.matcher(written);
    StringBuilder filled = new StringBuilder();
    while (matcher.find()) {
      String value;
      if (matcher.group(1) == null) {
        value = "${";
      } else if (matcher.group(2).isEmpty()) {
        problems.add(
            key,
            line,
            "found ${ without }, expected ${NAME} or ${file:/path}, or $${ for the text ${");
        return written;
      } else {
        value = value(key, line, matcher.group(1), problems);
      }
      matcher.appendReplacement(filled, Matcher.quoteReplacement(value == null ? "" : value));
    }
    return matcher.appendTail(filled).toString();
  }

  private @Nullable String value(String key, int line, String name, Problems problems) {
    if (name.startsWith(FILE)) {
      return file(key, line, name.substring(FILE.length()), problems);
    }
    if (!NAME.matcher(name).matches()) {
      problems.add(
          key,
          line,
          "found ${" + name + "}, expected ${NAME} or ${file:/path}, or $${ for the text ${");
      return null;
    }
    String value = environment.get(name);
    if (value == null) {
      problems.add(
          key,
          line,
          "found ${" + name + "}, expected an environment variable of that name to be set");
    }
    return value;
  }

  private static @Nullable String file(String key, int line, String name, Problems problems) {
    String reason;
    try {
      Path path = Path.of(name);
      if (!Files.isRegularFile(path)) {
        reason = "there is none";
      } else if (Files.size(path) > MAX_FILE_BYTES) {
        reason = "it is larger than 1 MiB";
      } else {
        // An editor ends a file with a newline, which is no part of a password.
        return Files.readString(path).stripTrailing();
      }
    } catch (CharacterCodingException e) {
      reason = "it is not UTF-8 text";
    } catch (IOException | InvalidPathException | SecurityException e) {
      reason = "it cannot be read (" + e.getClass().getSimpleName() + ")";
    }
    problems.add(
        key, line, "found ${file:" + name + "}, expected a readable file of that name: " + reason);
    return null;
  }
}
