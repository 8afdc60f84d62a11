package io.tidemark.debezium.value;

import io.tidemark.row.ColumnType;
import io.tidemark.row.ColumnType.Simple;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Reads the text form of a {@link ColumnSpec} by recursive descent. */
final class ColumnSpecParser {
  private static final int MAX_NESTING = 20;

  private static final Map<String, Encoding.Simple> UNITS =
      Map.of(
          "millis", Encoding.Simple.MILLIS,
          "micros", Encoding.Simple.MICROS,
          "nanos", Encoding.Simple.NANOS,
          "iso", Encoding.Simple.ISO);

  private final String text;
  private int at;
  private int depth;

  ColumnSpecParser(String text) {
    this.text = text;
  }

  ColumnSpec parse() {
    ColumnSpec spec = spec();
    if (peek() != 0) {
      throw expected("the end");
    }
    return spec;
  }

  private ColumnSpec spec() {
    if (++depth > MAX_NESTING) {
      throw expected("at most " + MAX_NESTING + " levels");
    }
    int start = at;
    String word = word("a type").toLowerCase(Locale.ROOT);
    ColumnSpec spec =
        switch (word) {
          case "list" -> list();
          case "map" -> map();
          case "struct" -> struct();
          case "decimal" -> decimal(start);
          default -> simple(word, start);
        };
    depth--;
    return spec;
  }

  private ColumnSpec list() {
    take('<');
    ColumnSpec element = spec();
    take('>');
    return ColumnSpec.listOf(element);
  }

  private ColumnSpec map() {
    take('<');
    if (!word("string").equalsIgnoreCase("string")) {
      throw expected("a map with string keys: map<string, …>");
    }
    take(',');
    ColumnSpec value = spec();
    take('>');
    return ColumnSpec.mapOf(value);
  }

  private ColumnSpec struct() {
    take('<');
    List<String> names = new ArrayList<>();
    List<ColumnSpec> specs = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    do {
      String name = peek() == '`' ? quotedName() : word("a field name");
      if (!seen.add(name)) {
        throw expected("field " + name + " only once");
      }
      names.add(name);
      take(':');
      specs.add(spec());
    } while (taken(','));
    take('>');
    return ColumnSpec.structOf(names, specs);
  }

  private ColumnSpec decimal(int start) {
    List<String> arguments = arguments();
    if (arguments.size() == 2 || (arguments.size() == 3 && arguments.get(2).equals("text"))) {
      ColumnType type = new ColumnType.Decimal(number(arguments.get(0)), number(arguments.get(1)));
      return new ColumnSpec(
          type, arguments.size() == 2 ? Encoding.Simple.NATURAL : Encoding.Simple.TEXT);
    }
    at = start;
    throw expected("decimal(precision, scale) or decimal(precision, scale, text)");
  }

  private ColumnSpec simple(String word, int start) {
    Simple type = null;
    for (Simple candidate : Simple.values()) {
      if (candidate.toString().equals(word)) {
        type = candidate;
      }
    }
    if (type == null) {
      at = start;
      throw expected(
          "boolean, int, long, float, double, string, binary, date, time(millis|micros|nanos|iso),"
              + " timestamp(millis|micros|nanos|iso), timestamptz, uuid, decimal(p, s), list<…>,"
              + " map<string, …> or struct<name: …>");
    }
    List<String> arguments = arguments();
    if (arguments.isEmpty()) {
      return ColumnSpec.of(type);
    }
    Encoding encoding = null;
    if (type == Simple.STRING && arguments.get(0).equals("decimal")) {
      if (arguments.size() == 1) {
        encoding = Encoding.Simple.DECIMAL;
      } else if (arguments.size() == 2) {
        encoding = new Encoding.Scaled(number(arguments.get(1)));
      }
    } else if (type == Simple.STRING && arguments.equals(List.of("boolean"))) {
      encoding = Encoding.Simple.BOOLEAN;
    } else if (arguments.size() == 1) {
      encoding = UNITS.get(arguments.get(0));
      encoding = encoding != null && ColumnSpec.fits(type, encoding) ? encoding : null;
    }
    if (encoding == null) {
      at = start;
      throw expected(
          switch (type) {
            case STRING -> "string, string(decimal), string(decimal, scale) or string(boolean)";
            case TIME, TIMESTAMP -> word + "(millis), (micros), (nanos) or (iso)";
            case DATE -> "date (a number of days) or date(iso)";
            case TIMESTAMPTZ ->
                "timestamptz (ISO 8601 text), or with (millis), (micros) or (nanos)";
            default -> word + " without arguments";
          });
    }
    return new ColumnSpec(type, encoding);
  }

  /** What stands in parentheses, in lower case; empty without parentheses. */
  private List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    if (taken('(')) {
      do {
        arguments.add(word("an argument").toLowerCase(Locale.ROOT));
      } while (taken(','));
      take(')');
    }
    return arguments;
  }

  private int number(String word) {
    try {
      return Integer.parseInt(word);
    } catch (NumberFormatException notANumber) {
      throw expected("a number");
    }
  }

  private String word(String what) {
    peek();
    int start = at;
    while (at < text.length()
        && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_')) {
      at++;
    }
    if (at == start) {
      throw expected(what);
    }
    return text.substring(start, at);
  }

  private String quotedName() {
    StringBuilder name = new StringBuilder();
    for (at++; at < text.length(); at++) {
      if (text.charAt(at) != '`') {
        name.append(text.charAt(at));
      } else if (at + 1 < text.length() && text.charAt(at + 1) == '`') {
        name.append('`');
        at++;
      } else {
        at++;
        return name.toString();
      }
    }
    throw expected("`");
  }

  private void take(char wanted) {
    if (!taken(wanted)) {
      throw expected("'" + wanted + "'");
    }
  }

  private boolean taken(char wanted) {
    if (peek() != wanted) {
      return false;
    }
    at++;
    return true;
  }

  /** The next character that is no space, not consumed; 0 at the end. */
  private char peek() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return at < text.length() ? text.charAt(at) : 0;
  }

  private IllegalArgumentException expected(String what) {
    return new IllegalArgumentException(
        "Column type \"" + text + "\": expected " + what + " at character " + (at + 1));
  }
}
