package io.tidemark.debezium.value;

import io.tidemark.row.ColumnType;
import io.tidemark.row.ColumnType.Simple;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A column's type and how the source writes its values.
 *
 * <p>The text form is what configuration files say ({@code timestamp(micros)}, {@code
 * decimal(10,2)}, {@code list<date>}, {@code struct<x: double, y: double>}) and what a table keeps
 * of its columns, so that messages without schema can be read for ever after. {@link #toString()}
 * writes it, {@link #parse} reads it.
 */
public record ColumnSpec(ColumnType type, Encoding encoding) {
  private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /**
   * Checks that type and encoding fit.
   *
   * @throws IllegalArgumentException if they do not
   */
  public ColumnSpec {
    if (!fits(type, encoding)) {
      throw new IllegalArgumentException("Type " + type + " has no encoding " + encoding);
    }
  }

  /** A type in its natural encoding. */
  public static ColumnSpec of(ColumnType type) {
    return new ColumnSpec(type, natural(type));
  }

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException with what was found where, and what was expected
   */
  public static ColumnSpec parse(String text) {
    return new ColumnSpecParser(text).parse();
  }

  @Override
  public String toString() {
    StringBuilder out = new StringBuilder();
    write(out);
    return out.toString();
  }

  /**
   * How the values are written in a message whose schema says what was sent, where this is
   * declared. That is what the schema says, but for text columns that are declared as numbers or
   * booleans: to a schema a number as text ({@code decimal.handling.mode=string}) is any text, and
   * a boolean is none. The column's values, and keys, are then the same with and without a schema.
   *
   * @param sent what the schema says
   */
  public ColumnSpec over(ColumnSpec sent) {
    if (encoding == Encoding.Simple.BOOLEAN && sent.type == Simple.BOOLEAN) {
      return this;
    }
    boolean number = encoding == Encoding.Simple.DECIMAL || encoding instanceof Encoding.Scaled;
    if (number && sent.equals(of(Simple.STRING))) {
      return new ColumnSpec(Simple.STRING, Encoding.Simple.DECIMAL);
    }
    if (type instanceof ColumnType.ListOf && sent.type instanceof ColumnType.ListOf) {
      return listOf(parts().get(0).over(sent.parts().get(0)));
    }
    if (type instanceof ColumnType.MapOf && sent.type instanceof ColumnType.MapOf) {
      return mapOf(parts().get(0).over(sent.parts().get(0)));
    }
    return type instanceof ColumnType.Struct mine && sent.type instanceof ColumnType.Struct theirs
        ? structOver(mine, theirs, sent)
        : sent;
  }

  private ColumnSpec structOver(ColumnType.Struct mine, ColumnType.Struct theirs, ColumnSpec sent) {
    List<ColumnSpec> parts = parts();
    Map<String, ColumnSpec> declared = new HashMap<>();
    for (int i = 0; i < parts.size(); i++) {
      declared.put(mine.fields().get(i).name(), parts.get(i));
    }
    List<String> names = theirs.fields().stream().map(ColumnType.Field::name).toList();
    List<ColumnSpec> specs = new ArrayList<>(sent.parts());
    for (int i = 0; i < specs.size(); i++) {
      ColumnSpec own = declared.get(names.get(i));
      specs.set(i, own == null ? specs.get(i) : own.over(specs.get(i)));
    }
    return structOf(names, specs);
  }

  /** The parts of a list, map or struct; none for other types. */
  List<ColumnSpec> parts() {
    if (type instanceof ColumnType.ListOf list && encoding instanceof Encoding.Element element) {
      return List.of(new ColumnSpec(list.element(), element.of()));
    }
    if (type instanceof ColumnType.MapOf map && encoding instanceof Encoding.Element element) {
      return List.of(new ColumnSpec(map.value(), element.of()));
    }
    if (type instanceof ColumnType.Struct struct && encoding instanceof Encoding.Fields fields) {
      List<ColumnSpec> parts = new ArrayList<>();
      for (int i = 0; i < struct.fields().size(); i++) {
        parts.add(new ColumnSpec(struct.fields().get(i).type(), fields.of().get(i)));
      }
      return parts;
    }
    return List.of();
  }

  static ColumnSpec listOf(ColumnSpec element) {
    return new ColumnSpec(
        new ColumnType.ListOf(element.type), new Encoding.Element(element.encoding));
  }

  static ColumnSpec mapOf(ColumnSpec value) {
    return new ColumnSpec(new ColumnType.MapOf(value.type), new Encoding.Element(value.encoding));
  }

  static ColumnSpec structOf(List<String> names, List<ColumnSpec> specs) {
    List<ColumnType.Field> fields = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      fields.add(new ColumnType.Field(names.get(i), specs.get(i).type));
    }
    return new ColumnSpec(
        new ColumnType.Struct(fields),
        new Encoding.Fields(specs.stream().map(ColumnSpec::encoding).toList()));
  }

  private static Encoding natural(ColumnType type) {
    if (type instanceof ColumnType.ListOf list) {
      return new Encoding.Element(natural(list.element()));
    }
    if (type instanceof ColumnType.MapOf map) {
      return new Encoding.Element(natural(map.value()));
    }
    if (type instanceof ColumnType.Struct struct) {
      return new Encoding.Fields(struct.fields().stream().map(f -> natural(f.type())).toList());
    }
    return Encoding.Simple.NATURAL;
  }

  static boolean fits(ColumnType type, Encoding encoding) {
    if (type instanceof ColumnType.ListOf list) {
      return encoding instanceof Encoding.Element element && fits(list.element(), element.of());
    }
    if (type instanceof ColumnType.MapOf map) {
      return encoding instanceof Encoding.Element element && fits(map.value(), element.of());
    }
    if (type instanceof ColumnType.Struct struct) {
      return encoding instanceof Encoding.Fields fields && fieldsFit(struct, fields);
    }
    if (encoding instanceof Encoding.Scaled) {
      return type == Simple.STRING;
    }
    if (!(encoding instanceof Encoding.Simple simple)) {
      return false;
    }
    return switch (simple) {
      case NATURAL -> true;
      case MILLIS, MICROS, NANOS ->
          type == Simple.TIME || type == Simple.TIMESTAMP || type == Simple.TIMESTAMPTZ;
      case ISO -> type == Simple.DATE || type == Simple.TIME || type == Simple.TIMESTAMP;
      case TEXT -> type instanceof ColumnType.Decimal;
      case DECIMAL, BOOLEAN -> type == Simple.STRING;
    };
  }

  private static boolean fieldsFit(ColumnType.Struct struct, Encoding.Fields fields) {
    if (struct.fields().size() != fields.of().size()) {
      return false;
    }
    for (int i = 0; i < struct.fields().size(); i++) {
      if (!fits(struct.fields().get(i).type(), fields.of().get(i))) {
        return false;
      }
    }
    return true;
  }

  private void write(StringBuilder out) {
    List<ColumnSpec> parts = parts();
    if (type instanceof ColumnType.ListOf) {
      out.append("list<");
      parts.get(0).write(out);
      out.append('>');
    } else if (type instanceof ColumnType.MapOf) {
      out.append("map<string, ");
      parts.get(0).write(out);
      out.append('>');
    } else if (type instanceof ColumnType.Struct struct) {
      writeStruct(struct, parts, out);
    } else {
      writeSimple(out);
    }
  }

  private static void writeStruct(
      ColumnType.Struct struct, List<ColumnSpec> parts, StringBuilder out) {
    out.append("struct<");
    for (int i = 0; i < parts.size(); i++) {
      String name = struct.fields().get(i).name();
      out.append(i == 0 ? "" : ", ");
      out.append(PLAIN_NAME.matcher(name).matches() ? name : '`' + name.replace("`", "``") + '`');
      out.append(": ");
      parts.get(i).write(out);
    }
    out.append('>');
  }

  private void writeSimple(StringBuilder out) {
    List<String> arguments = new ArrayList<>();
    if (type instanceof ColumnType.Decimal decimal) {
      Collections.addAll(arguments, "" + decimal.precision(), "" + decimal.scale());
      out.append("decimal");
    } else {
      out.append(type);
    }
    if (encoding instanceof Encoding.Scaled scaled) {
      Collections.addAll(arguments, "decimal", "" + scaled.scale());
    } else if (encoding != Encoding.Simple.NATURAL) {
      arguments.add(encoding.toString().toLowerCase(java.util.Locale.ROOT));
    }
    if (!arguments.isEmpty()) {
      out.append('(').append(String.join(", ", arguments)).append(')');
    }
  }
}
