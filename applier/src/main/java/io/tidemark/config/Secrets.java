package io.tidemark.config;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Keeps secrets out of messages and logs. */
public final class Secrets {
  private static final String MASK = "******";

  private static final Pattern SECRET =
      Pattern.compile(
          "password|passwd|passphrase|secret|token|key(?!store)|credential|user\\.info|sasl\\.jaas\\.config",
          Pattern.CASE_INSENSITIVE);

  /**
   * Where names are somebody else's; Tidemark's own keys, such as {@code routes.key}, hold none.
   */
  private static final Pattern FOREIGN =
      Pattern.compile("(?:^|\\.)(?:properties|flink|registry)\\.(.*)");

  private Secrets() {}

  static boolean isSecret(String key) {
    return SECRET.matcher(key).find();
  }

  /** What a message shows of the value at a path. */
  static String shown(String path, Tree tree) {
    if (!(tree instanceof Tree.Scalar scalar) || scalar.written().startsWith("${")) {
      return tree.shown();
    }
    Matcher foreign = FOREIGN.matcher(path);
    return foreign.find() && isSecret(foreign.group(1)) ? MASK : withoutUserInfo(tree.shown());
  }

  /** A copy for {@code toString}, in the order of the names. */
  static Map<String, String> masked(Map<String, String> properties) {
    Map<String, String> masked = new TreeMap<>(properties);
    masked.replaceAll((key, value) -> isSecret(key) ? MASK : withoutUserInfo(value));
    return masked;
  }

  /**
   * A text with passwords in addresses masked: {@code jdbc:postgresql://user:pw@host/db} and the
   * like carry one in their value.
   */
  public static String withoutUserInfo(String value) {
    return value
        .replaceAll("(?<=://)[^/@\\s]*:[^/@\\s]*@", MASK + "@")
        .replaceAll("(?i)((?:password|secret|token)=)[^&;\\s]+", "$1" + MASK);
  }
}
