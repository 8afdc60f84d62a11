package io.tidemark.debezium;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A field of the envelope under the name that {@code ExtractNewRecordState} gave it. The rules are
 * those of Debezium's {@code FieldReference}.
 *
 * @param name in the message, or of the header
 * @param block {@code source}, {@code transaction} or another block of the envelope; empty for a
 *     field of the envelope itself
 * @param field within the block
 */
record AddedName(String name, String block, String field) {
  static final String SOURCE = "source";
  static final String TRANSACTION = "transaction";

  private static final Pattern LISTED = Pattern.compile("(?:([^.:]+)\\.)?([^.:]+)(?::([^:]+))?");

  /**
   * An entry of {@code add.fields} or {@code add.headers}.
   *
   * @throws IllegalArgumentException if it is not {@code [struct.]field[:name]}
   */
  static AddedName listed(String entry, String prefix) {
    Matcher parts = LISTED.matcher(entry.strip());
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "Expected [struct.]field[:name] in add.fields and add.headers, found " + entry);
    }
    String block = parts.group(1);
    String field = parts.group(2);
    String renamed = parts.group(3);
    String plain = block == null ? field : block + "_" + field;
    return new AddedName(
        prefix + (renamed == null ? plain : renamed), block == null ? home(field) : block, field);
  }

  /** What a name means that was not renamed; the prefix is off. */
  static AddedName derived(String name, String plain) {
    for (String block : new String[] {SOURCE, TRANSACTION}) {
      if (plain.startsWith(block + "_")) {
        return new AddedName(name, block, plain.substring(block.length() + 1));
      }
    }
    return new AddedName(name, home(plain), plain);
  }

  /** Whether it says which connector wrote the message. */
  boolean isConnector() {
    return block.equals(SOURCE) && field.equals("connector");
  }

  /** Where Debezium looks for a field that was named without its block. */
  private static String home(String field) {
    return switch (field) {
      case "op", "ts_ms", "ts_us", "ts_ns", "deleted" -> "";
      case "id", "total_order", "data_collection_order" -> TRANSACTION;
      default -> SOURCE;
    };
  }
}
