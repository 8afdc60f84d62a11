package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import io.tidemark.row.RowWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Structs, field by name; a field that was not sent is null. */
final class StructConverter extends ValueConverter {
  private final Map<String, Integer> positions = new HashMap<>();
  private final List<ValueConverter> fields;
  private final RowBudget budget;

  StructConverter(List<String> names, List<ValueConverter> fields, RowBudget budget) {
    names.forEach(name -> positions.put(name, positions.size()));
    this.fields = List.copyOf(fields);
    this.budget = budget;
  }

  @Override
  public void convert(JsonParser in, RowWriter out, int column) throws Problem, IOException {
    out.setStruct(column, value(in));
  }

  @Override
  Object read(JsonParser in) throws Problem, IOException {
    return value(in);
  }

  private List<@Nullable Object> value(JsonParser in) throws Problem, IOException {
    require(JsonToken.START_OBJECT, "a struct as an object", in);
    budget.take(fields.size());
    List<@Nullable Object> values = new ArrayList<>(Collections.nCopies(fields.size(), null));
    BitSet seen = new BitSet();
    for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
      Integer field = positions.get(name);
      if (field == null || seen.get(field)) {
        throw new Problem(
            (field == null
                    ? "a field that the struct does not have: "
                    : "a field that occurs twice: ")
                + JsonInput.quoted(name));
      }
      seen.set(field);
      if (in.nextToken() != JsonToken.VALUE_NULL) {
        values.set(field, fields.get(field).read(in));
      }
    }
    require(JsonToken.END_OBJECT, "the end of an object", in);
    return values;
  }
}
