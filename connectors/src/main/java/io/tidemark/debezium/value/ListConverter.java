package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.debezium.json.Problem;
import io.tidemark.row.RowWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists, whose elements may be null. */
final class ListConverter extends ValueConverter {
  private final ValueConverter element;
  private final RowBudget budget;

  ListConverter(ValueConverter element, RowBudget budget) {
    this.element = element;
    this.budget = budget;
  }

  @Override
  public void convert(JsonParser in, RowWriter out, int column) throws Problem, IOException {
    out.setList(column, value(in));
  }

  @Override
  Object read(JsonParser in) throws Problem, IOException {
    return value(in);
  }

  private List<@Nullable Object> value(JsonParser in) throws Problem, IOException {
    require(JsonToken.START_ARRAY, "a list", in);
    List<@Nullable Object> values = new ArrayList<>();
    for (JsonToken token = in.nextToken(); token != JsonToken.END_ARRAY; token = in.nextToken()) {
      budget.take(1);
      values.add(token == JsonToken.VALUE_NULL ? null : element.read(in));
    }
    return values;
  }
}
