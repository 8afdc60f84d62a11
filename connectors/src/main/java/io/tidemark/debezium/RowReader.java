package io.tidemark.debezium;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.change.Unsent;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import io.tidemark.debezium.value.RowBudget;
import io.tidemark.debezium.value.UnavailableValue;
import io.tidemark.debezium.value.Unrepresentable;
import io.tidemark.debezium.version.SourceBlock;
import io.tidemark.row.Column;
import io.tidemark.row.RowShape;
import io.tidemark.row.RowWriter;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the JSON objects that hold a row or a key, column by column. Not thread-safe. */
final class RowReader {

  /** What to do with fields that are no key columns. */
  private enum Others {
    WRITE,
    SKIP,
    REFUSE
  }

  /** As {@code source.connector} names PostgreSQL. */
  static final String POSTGRES = "postgresql";

  private final Map<String, Integer> positions;
  private final String keyNames;
  private final OnUnrepresentable onUnrepresentable;
  private final List<String> names;
  private final RowWriter writer;
  private final UnavailableValue row;
  private final Predicate<String> added;
  private final RowBudget budget = new RowBudget();
  private final int[] seen;
  private int stamp;

  RowReader(RowShape shape, DecoderSettings settings, RowWriter writer) {
    this(shape, settings, writer, name -> false);
  }

  /**
   * Makes one.
   *
   * @param added which fields of a row are no columns, unless the table has them
   */
  RowReader(RowShape shape, DecoderSettings settings, RowWriter writer, Predicate<String> added) {
    this.added = added;
    positions = shape.positions();
    keyNames =
        shape.columns().stream()
            .filter(Column::key)
            .map(Column::name)
            .collect(Collectors.joining(", "));
    names = shape.columns().stream().map(Column::name).toList();
    this.writer = writer;
    onUnrepresentable = settings.onUnrepresentable();
    row = new UnavailableValue(settings.unavailableValue(), writer);
    seen = new int[shape.columns().size()];
  }

  /** What the plans that it reads by must take the parts of values from. */
  RowBudget budget() {
    return budget;
  }

  /** Reads a whole row: key columns go to {@code key} and to the row, all others to the row. */
  void readRow(JsonParser in, RowPlan plan, KeyValues key) throws Problem, IOException {
    row.start();
    read(in, plan, key, Others.WRITE);
    String missing = key.missing();
    if (missing != null) {
      throw new Problem(
          "column " + missing + ": a key column, expected a value, found no such field");
    }
    key.copyTo(writer); // a key is never left out
  }

  /**
   * What the source left out of the row that was read last. Where it left out nothing, what looks
   * like the placeholder is written as the value that it is.
   *
   * @param source of the record, as far as it is said
   * @param op of the record; null if it is not said
   * @return null if nothing was left out
   * @throws Problem if a placeholder that is a value is none of its column's
   */
  @Nullable Unsent unsent(RawRecord record, SourceBlock source, @Nullable String op)
      throws Problem {
    List<Integer> columns = row.heldBack();
    if (columns.isEmpty()) {
      return null;
    }
    if (WholeRow.is(record, source, op)) {
      row.passOn();
      return null;
    }
    boolean insert = op != null && !op.equals("u");
    return new Unsent(columns.stream().map(names::get).toList(), insert, record.at());
  }

  /** Reads the key columns of a row and skips the others; columns may be missing or null. */
  void readKeyOfRow(JsonParser in, RowPlan plan, KeyValues key) throws Problem, IOException {
    read(in, plan, key, Others.SKIP);
  }

  /** Reads a message key, which holds the key columns and nothing else. */
  void readKey(JsonParser in, RowPlan plan, KeyValues key) throws Problem, IOException {
    read(in, plan, key, Others.REFUSE);
    String missing = key.missing();
    if (missing != null) {
      throw new Problem("expected the key columns " + keyNames + ", found none named " + missing);
    }
  }

  private void read(JsonParser in, RowPlan plan, KeyValues key, Others others)
      throws Problem, IOException {
    if (in.currentToken() != JsonToken.START_OBJECT) {
      throw JsonInput.unexpected("an object", in);
    }
    key.start();
    budget.start();
    stamp++;
    JsonStreamContext object = in.getParsingContext();
    int next = 0;
    while (true) {
      RowPlan.Field field = plan.at(next);
      // Fields come in the schema's order, so that most names are found without being decoded.
      if (field == null || !in.nextFieldName(field.name())) {
        if (field == null) {
          in.nextToken();
        }
        if (in.currentToken() != JsonToken.FIELD_NAME) {
          return;
        }
        field = field(in.currentName(), plan, others);
      }
      JsonToken token = in.nextToken();
      next = field == null ? next : field.place() + 1;
      if (field == null || (!field.key() && others == Others.SKIP)) {
        in.skipChildren();
      } else {
        accept(token, in, field, key, others, object);
      }
    }
  }

  private RowPlan.@Nullable Field field(String name, RowPlan plan, Others others) throws Problem {
    RowPlan.Field field = plan.named(name);
    boolean left = others == Others.SKIP || (others == Others.WRITE && added.test(name));
    if (field == null && !left) {
      throw new Problem(
          "column "
              + JsonInput.quoted(name)
              + (positions.containsKey(name)
                  ? ": the message's schema does not describe it"
                  : ": the table has no such column"));
    }
    return field;
  }

  private void accept(
      JsonToken token,
      JsonParser in,
      RowPlan.Field field,
      KeyValues key,
      Others others,
      JsonStreamContext object)
      throws Problem, IOException {
    String name = field.name().getValue();
    if (seen[field.column()] == stamp) {
      throw new Problem("column " + name + " occurs twice");
    }
    seen[field.column()] = stamp;
    if (!field.key() && others == Others.REFUSE) {
      throw new Problem("expected the key columns " + keyNames + ", found column " + name);
    }
    if (token == JsonToken.VALUE_NULL) {
      if (field.key() && others != Others.SKIP) {
        throw new Problem("column " + name + ": a key column, expected a value, found null");
      }
      return;
    }
    try {
      field.converter().convert(in, field.key() ? key : row, field.column());
    } catch (Unrepresentable value) {
      if (onUnrepresentable == OnUnrepresentable.DEAD_LETTER) {
        throw new Unrepresentable("column " + name + ": cannot store " + value.text());
      }
      if (field.key() || onUnrepresentable == OnUnrepresentable.FAIL) {
        String remedy = field.key() ? "" : " (on-unrepresentable: null would store null)";
        throw new Problem("column " + name + ": cannot store " + value.text() + remedy);
      }
      while (in.getParsingContext() != object) {
        in.nextToken(); // out of a list or struct; the column stays null
      }
    } catch (Problem problem) {
      Problem named = problem.in("column " + name);
      if (in.getParsingContext() != object || !isPlaceholder(in, field, named)) {
        throw named;
      }
    }
    // A key that is stored apart comes as the placeholder too, in the message key as well.
    if (field.key() && row.isLeftOut(key.object(field.column()))) {
      throw new Problem(
          "column "
              + name
              + ": Debezium did not get its value, since the update left it as it was (TOAST)."
              + " Set REPLICA IDENTITY FULL on the source table; if this is the user's own text, set"
              + " unavailable-value: none in the route");
    }
  }

  /** The placeholder comes as text also where the column's values are none. */
  private boolean isPlaceholder(JsonParser in, RowPlan.Field field, Problem otherwise)
      throws IOException {
    return !field.key()
        && in.currentToken() == JsonToken.VALUE_STRING
        && row.holdBack(field.column(), in.getText(), otherwise);
  }
}
