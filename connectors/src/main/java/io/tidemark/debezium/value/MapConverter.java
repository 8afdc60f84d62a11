package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.debezium.json.Problem;
import io.tidemark.row.RowWriter;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Maps with string keys, in the order of the keys: equal maps come out equal however they were
 * sent.
 */
final class MapConverter extends ValueConverter {
  private final ValueConverter element;
  private final RowBudget budget;

  MapConverter(ValueConverter element, RowBudget budget) {
    this.element = element;
    this.budget = budget;
  }

  @Override
  public void convert(JsonParser in, RowWriter out, int column) throws Problem, IOException {
    out.setMap(column, value(in));
  }

  @Override
  Object read(JsonParser in) throws Problem, IOException {
    return value(in);
  }

  private Map<String, @Nullable Object> value(JsonParser in) throws Problem, IOException {
    require(JsonToken.START_OBJECT, "a map as an object", in);
    Map<String, @Nullable Object> values = new TreeMap<>();
    for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
      budget.take(1);
      if (values.containsKey(name)) {
        throw new Problem("expected a map as an object, found a key twice");
      }
      values.put(name, in.nextToken() == JsonToken.VALUE_NULL ? null : element.read(in));
    }
    require(JsonToken.END_OBJECT, "the end of an object", in);
    return values;
  }
}
