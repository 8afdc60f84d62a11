package io.tidemark.iceberg;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/** Partition specs from expressions such as {@code day(created_at)}. */
final class PartitionExpressions {
  private static final Pattern CALL =
      Pattern.compile("\\s*(\\w+)\\s*\\(\\s*(?:(\\d+)\\s*,\\s*)?([^(),]+?)\\s*\\)\\s*");

  private PartitionExpressions() {}

  /**
   * Reads expressions.
   *
   * @throws IllegalArgumentException if one cannot be read, with what was found and what is known
   */
  static PartitionSpec parse(List<String> expressions, Schema schema) {
    PartitionSpec.Builder builder = PartitionSpec.builderFor(schema);
    for (String expression : expressions) {
      Matcher call = CALL.matcher(expression);
      if (call.matches()) {
        add(builder, call.group(1), call.group(2), call.group(3), expression);
      } else {
        builder.identity(expression.strip());
      }
    }
    PartitionSpec spec = builder.build();
    for (PartitionField field : spec.fields()) {
      String problem = problem(field, schema);
      if (problem != null) {
        throw new IllegalArgumentException(problem);
      }
    }
    return spec;
  }

  /** Why a table cannot be partitioned in this way; null if it can. */
  static @Nullable String problem(PartitionField field, Schema schema) {
    if (field.transform().isVoid()) {
      return null;
    }
    Types.NestedField source = schema.asStruct().field(field.sourceId());
    if (source == null) {
      return "partition field " + field.name() + " has a source that is no column of the table";
    }
    if (AddedColumns.contains(source.name())) {
      return "a table cannot be partitioned by "
          + source.name()
          + ", which Tidemark adds: where a row lies must follow from the source's columns";
    }
    if (source.type().typeId() == Type.TypeID.FLOAT
        || source.type().typeId() == Type.TypeID.DOUBLE) {
      return "a table cannot be partitioned by " + source.name() + " of type " + source.type();
    }
    return null;
  }

  private static void add(
      PartitionSpec.Builder builder,
      String transform,
      @Nullable String number,
      String column,
      String expression) {
    boolean takesNumber = transform.equals("bucket") || transform.equals("truncate");
    if (takesNumber == (number == null)) {
      throw unknown(expression);
    }
    switch (transform) {
      case "bucket" -> builder.bucket(column, width(number, expression));
      case "truncate" -> builder.truncate(column, width(number, expression));
      case "year", "years" -> builder.year(column);
      case "month", "months" -> builder.month(column);
      case "day", "days" -> builder.day(column);
      case "hour", "hours" -> builder.hour(column);
      case "identity" -> builder.identity(column);
      default -> throw unknown(expression);
    }
  }

  private static int width(@Nullable String number, String expression) {
    if (number == null || number.length() > 9) {
      throw unknown(expression);
    }
    return Integer.parseInt(number);
  }

  private static IllegalArgumentException unknown(String expression) {
    return new IllegalArgumentException(
        "A partition expression is a column name, year(c), month(c), day(c), hour(c), bucket(16, c)"
            + " or truncate(10, c), got \""
            + expression
            + "\"");
  }
}
