package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.debezium.json.Problem;
import io.tidemark.row.RowWriter;

/** For a column whose values cannot be read as what they are: null is all that it lets through. */
final class RefusingConverter extends ValueConverter {
  private final String problem;

  RefusingConverter(String problem) {
    this.problem = problem;
  }

  @Override
  public void convert(JsonParser in, RowWriter out, int column) throws Problem {
    throw new Problem(problem);
  }

  @Override
  Object read(JsonParser in) throws Problem {
    throw new Problem(problem);
  }
}
