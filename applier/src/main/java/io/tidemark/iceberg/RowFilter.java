package io.tidemark.iceberg;

import io.tidemark.config.Names;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.iceberg.Schema;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.expressions.Binder;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** Reads filters such as {@code id >= 5 and name = 'x' and note is not null}. */
final class RowFilter {
  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*(?:(?<text>'(?:[^']|'')*')|(?<name>\"[^\"]+\"|[\\p{L}_][\\p{L}\\p{N}_$]*)"
              + "|(?<number>[-+]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][-+]?\\d+)?)"
              + "|(?<op><=|>=|!=|<>|=|<|>))");

  private static final Set<String> ORDERED = Set.of("<", "<=", ">", ">=");

  private final String filter;
  private final Schema schema;
  private final List<String> tokens = new ArrayList<>();
  private int next;

  private RowFilter(String filter, Schema schema) {
    this.filter = filter;
    this.schema = schema;
  }

  /**
   * Reads a filter.
   *
   * @throws IllegalArgumentException if it cannot be read, with what was found and expected
   */
  static Expression parse(String filter, Schema schema) {
    RowFilter parser = new RowFilter(filter, schema);
    parser.tokenize();
    Expression all = parser.comparison();
    while (parser.next < parser.tokens.size()) {
      parser.expect("and");
      all = Expressions.and(all, parser.comparison());
    }
    try {
      Binder.bind(schema.asStruct(), all, true);
    } catch (ValidationException | IllegalArgumentException e) {
      // Every comparison was made for its column's type, so this is one that no reader can make.
      throw new IllegalArgumentException("The filter \"" + filter + "\" cannot be used", e);
    }
    return all;
  }

  private void tokenize() {
    Matcher matcher = TOKEN.matcher(filter);
    int at = 0;
    while (!filter.substring(at).isBlank()) {
      if (!matcher.find(at) || matcher.start() != at) {
        throw problem("\"" + filter.substring(at).strip() + "\" cannot be read");
      }
      tokens.add(matcher.group().strip());
      at = matcher.end();
    }
  }

  private Expression comparison() {
    String name = take("a column");
    String column = name.startsWith("\"") ? name.substring(1, name.length() - 1) : name;
    Types.NestedField field = schema.asStruct().field(column);
    if (field == null) {
      List<String> names = schema.columns().stream().map(Types.NestedField::name).toList();
      throw problem(
          "there is no column "
              + column
              + ". "
              + Names.nearest(column, names)
                  .map(near -> "Did you mean " + near + "?")
                  .orElse("There are: " + String.join(", ", names)));
    }
    String operator = take("an operator").toLowerCase(Locale.ROOT);
    if (operator.equals("is")) {
      boolean not = peek("not");
      if (not) {
        next++;
      }
      expect("null");
      return not ? Expressions.notNull(column) : Expressions.isNull(column);
    }
    if (field.type().typeId() == Type.TypeID.UUID && ORDERED.contains(operator)) {
      // Iceberg compares uuids as signed numbers, all others by their bytes.
      throw problem("column " + column + ", which is uuid, is compared with = and != alone");
    }
    Object value = literal(field, take("a value"));
    return switch (operator) {
      case "=" -> Expressions.equal(column, value);
      case "!=", "<>" -> Expressions.notEqual(column, value);
      case "<" -> Expressions.lessThan(column, value);
      case "<=" -> Expressions.lessThanOrEqual(column, value);
      case ">" -> Expressions.greaterThan(column, value);
      case ">=" -> Expressions.greaterThanOrEqual(column, value);
      default ->
          throw problem(
              "\""
                  + operator
                  + "\" is no operator; known are =, !=, <, <=, >, >=, is null, is not null");
    };
  }

  private Object literal(Types.NestedField field, String token) {
    boolean quoted = token.startsWith("'");
    String text = quoted ? token.substring(1, token.length() - 1).replace("''", "'") : token;
    if (!field.type().isPrimitiveType()) {
      throw problem("column " + field.name() + ", which is " + field.type() + ", has no order");
    }
    try {
      return literal(field.type(), text, quoted);
    } catch (ArithmeticException | IllegalArgumentException | DateTimeException e) {
      throw problem(
          token
              + " is no value of column "
              + field.name()
              + ", which is "
              + field.type()
              + " and written as "
              + example(field.type()));
    }
  }

  private static String example(Type type) {
    return switch (type.typeId()) {
      case BOOLEAN -> "true or false";
      case INTEGER, LONG -> "42";
      case FLOAT, DOUBLE, DECIMAL -> "42.5";
      case DATE -> "'2026-01-31'";
      case TIME -> "'12:30:00'";
      case TIMESTAMP ->
          ((Types.TimestampType) type).shouldAdjustToUTC()
              ? "'2026-01-31T12:30:00+00:00'"
              : "'2026-01-31T12:30:00'";
      case UUID -> "'123e4567-e89b-12d3-a456-426614174000'";
      case BINARY, FIXED -> "'' with base64 in it";
      default -> "'text'";
    };
  }

  private static Object literal(Type type, String text, boolean quoted) {
    switch (type.typeId()) {
      case BOOLEAN:
        if (!text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false")) {
          throw new IllegalArgumentException(text);
        }
        return Boolean.valueOf(text);
      case INTEGER:
        return Integer.valueOf(text);
      case LONG:
        return Long.valueOf(text);
      case FLOAT:
        return Float.valueOf(text);
      case DOUBLE:
        return Double.valueOf(text);
      case DECIMAL:
        return new BigDecimal(text)
            .setScale(((Types.DecimalType) type).scale(), RoundingMode.UNNECESSARY);
      case BINARY:
        return ByteBuffer.wrap(Base64.getDecoder().decode(text));
      default:
        if (!quoted) {
          throw new IllegalArgumentException(text);
        }
        if (Literal.of(text).to(type) == null) {
          throw new IllegalArgumentException(text);
        }
        return text; // Iceberg converts it to the column's type
    }
  }

  private boolean peek(String word) {
    return next < tokens.size() && tokens.get(next).equalsIgnoreCase(word);
  }

  private void expect(String word) {
    if (!peek(word)) {
      throw problem(
          "expected \""
              + word
              + "\", got "
              + (next < tokens.size() ? tokens.get(next) : "the end"));
    }
    next++;
  }

  private String take(String what) {
    if (next == tokens.size()) {
      throw problem("expected " + what + ", got the end");
    }
    return tokens.get(next++);
  }

  private IllegalArgumentException problem(String problem) {
    return new IllegalArgumentException("The filter \"" + filter + "\" cannot be used: " + problem);
  }
}
