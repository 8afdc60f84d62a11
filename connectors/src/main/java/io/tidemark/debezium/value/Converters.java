package io.tidemark.debezium.value;

import io.tidemark.row.ColumnType;
import io.tidemark.row.ColumnType.Simple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which converter there is for values of one specification in a column of one type. */
public final class Converters {
  private final boolean canonical;
  private final RowBudget budget;

  private Converters(boolean canonical, RowBudget budget) {
    this.canonical = canonical;
    this.budget = budget;
  }

  /**
   * A converter for a column.
   *
   * @param wire what the values are and how they are written
   * @param target the column's own type
   * @param budget what the values' parts are taken from
   * @return where nothing fits, a converter that refuses every value but null and says why
   */
  public static ValueConverter forColumn(ColumnSpec wire, ColumnType target, RowBudget budget) {
    return new Converters(false, budget).of(wire, target);
  }

  /** The same for a key column, in which equal values come out equal however they were written. */
  public static ValueConverter forKey(ColumnSpec wire, ColumnType target, RowBudget budget) {
    return new Converters(true, budget).of(wire, target);
  }

  private ValueConverter of(ColumnSpec wire, ColumnType target) {
    if (target instanceof ColumnType.Decimal decimal) {
      return toDecimal(wire, decimal);
    }
    if (target instanceof Simple simple) {
      return wire.type() instanceof Simple || wire.type() instanceof ColumnType.Decimal
          ? toSimple(wire, simple)
          : mismatch(wire, target);
    }
    if (target instanceof ColumnType.ListOf list && wire.type() instanceof ColumnType.ListOf) {
      return new ListConverter(of(wire.parts().get(0), list.element()), budget);
    }
    if (target instanceof ColumnType.MapOf map && wire.type() instanceof ColumnType.MapOf) {
      return new MapConverter(of(wire.parts().get(0), map.value()), budget);
    }
    if (target instanceof ColumnType.Struct struct
        && wire.type() instanceof ColumnType.Struct sent) {
      return toStruct(wire, sent, struct);
    }
    return mismatch(wire, target);
  }

  private ValueConverter toStruct(
      ColumnSpec wire, ColumnType.Struct sent, ColumnType.Struct target) {
    List<ColumnSpec> parts = wire.parts();
    Map<String, ColumnSpec> sentParts = new HashMap<>();
    for (int i = 0; i < parts.size(); i++) {
      sentParts.put(sent.fields().get(i).name(), parts.get(i));
    }
    List<String> names = new ArrayList<>();
    List<ValueConverter> fields = new ArrayList<>();
    for (ColumnType.Field field : target.fields()) {
      ColumnSpec part = sentParts.get(field.name());
      names.add(field.name());
      fields.add(
          part == null
              ? new RefusingConverter("a field that the message's schema does not have")
              : of(part, field.type()));
    }
    return new StructConverter(names, fields, budget);
  }

  private ValueConverter toDecimal(ColumnSpec wire, ColumnType.Decimal target) {
    if (wire.type() instanceof ColumnType.Decimal sent) {
      return new DecimalConverter(
          wire.encoding() == Encoding.Simple.TEXT
              ? DecimalReader.ofText(budget)
              : DecimalReader.ofBase64(sent.scale(), budget),
          target);
    }
    if (wire.type() == Simple.STRING) {
      return new DecimalConverter(
          wire.encoding() instanceof Encoding.Scaled scaled
              ? DecimalReader.ofBase64(scaled.scale(), budget)
              : DecimalReader.ofText(budget),
          target);
    }
    return mismatch(wire, target);
  }

  private ValueConverter toSimple(ColumnSpec wire, Simple target) {
    if (target == Simple.STRING) {
      return toText(wire);
    }
    if (wire.type() == target) {
      return same(wire, target);
    }
    if (target == Simple.LONG && wire.type() == Simple.INT) {
      return new LongConverter();
    }
    if (target == Simple.INT && wire.type() == Simple.BOOLEAN) {
      return new IntConverter();
    }
    if (target == Simple.BOOLEAN && wire.type() == Simple.INT) {
      return new BooleanConverter();
    }
    if (target == Simple.DOUBLE && wire.type() == Simple.FLOAT) {
      return new DoubleConverter(true);
    }
    return mismatch(wire, target);
  }

  private static ValueConverter same(ColumnSpec wire, Simple type) {
    return switch (type) {
      case BOOLEAN -> new BooleanConverter();
      case INT -> new IntConverter();
      case LONG -> new LongConverter();
      case FLOAT -> new FloatConverter();
      case DOUBLE -> new DoubleConverter(false);
      case STRING -> new StringConverter();
      case BINARY -> new BinaryConverter();
      case DATE ->
          wire.encoding() == Encoding.Simple.ISO ? new IsoDateConverter() : new DateConverter();
      case UUID -> new UuidConverter();
      case TIME, TIMESTAMP, TIMESTAMPTZ -> temporal(wire, type);
    };
  }

  private static ValueConverter temporal(ColumnSpec wire, Simple type) {
    if (wire.encoding() == Encoding.Simple.NATURAL) {
      return type == Simple.TIMESTAMPTZ
          ? new InstantConverter()
          : new RefusingConverter(
              String.format(
                  "a number of unknown unit: the message has no schema. Declare the column as"
                      + " %1$s(millis), %1$s(micros) or %1$s(nanos) under columns",
                  type));
    }
    if (wire.encoding() == Encoding.Simple.ISO) {
      return new IsoTimeConverter(type == Simple.TIME);
    }
    Unit unit = Unit.valueOf(wire.encoding().toString());
    return type == Simple.TIME ? new TimeConverter(unit) : new TimestampConverter(unit);
  }

  private ValueConverter toText(ColumnSpec wire) {
    if (wire.type() instanceof ColumnType.Decimal sent) {
      boolean text = wire.encoding() == Encoding.Simple.TEXT;
      return new DecimalTextConverter(
          text ? DecimalReader.ofText(budget) : DecimalReader.ofBase64(sent.scale(), budget),
          text,
          canonical);
    }
    if (wire.encoding() instanceof Encoding.Scaled scaled) {
      return new DecimalTextConverter(
          DecimalReader.ofBase64(scaled.scale(), budget), false, canonical);
    }
    if (wire.encoding() == Encoding.Simple.DECIMAL) {
      return new DecimalTextConverter(DecimalReader.ofText(budget), true, canonical);
    }
    if (wire.encoding() == Encoding.Simple.BOOLEAN) {
      return new BooleanTextConverter();
    }
    boolean sentAsText =
        wire.type() == Simple.STRING
            || wire.type() == Simple.UUID
            || (wire.type() == Simple.TIMESTAMPTZ && wire.encoding() == Encoding.Simple.NATURAL);
    return sentAsText ? new StringConverter() : mismatch(wire, Simple.STRING);
  }

  private static ValueConverter mismatch(ColumnSpec wire, ColumnType target) {
    return new RefusingConverter(
        "expected "
            + target
            + ", as the table has it, found "
            + wire.type()
            + " in the message's schema");
  }
}
