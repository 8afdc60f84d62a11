package io.tidemark.debezium.version;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonParser.NumberType;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.change.Kind;
import io.tidemark.change.Position;
import io.tidemark.change.SourcePosition;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import java.io.IOException;
import java.util.List;

/**
 * A number, or up to three, that the events carry.
 *
 * <p>It reads the envelope a second time and skips all that is not on the path: the row's own pass
 * stays free of it.
 */
final class FieldVersion implements VersionReader {
  private static final int MAX_NUMBERS = 3;

  private final VersionScheme.Field scheme;
  private final List<String> inRow;
  private final List<String> inDelete;

  /**
   * Makes one.
   *
   * @param flat whether the events are rows without an envelope
   */
  FieldVersion(VersionScheme.Field scheme, boolean flat) {
    this.scheme = scheme;
    boolean column = scheme.path().size() == 1 && !flat;
    inRow = column ? List.of("after", scheme.path().get(0)) : scheme.path();
    inDelete = column ? List.of("before", scheme.path().get(0)) : scheme.path();
  }

  @Override
  public SourcePosition read(EventFacts event) throws Problem {
    List<String> path = event.kind() == Kind.DELETE ? inDelete : inRow;
    try (JsonParser in = event.message().open()) {
      in.nextToken();
      for (String name : path) {
        enter(name, in, path);
      }
      return new SourcePosition.Given(position(in, path));
    } catch (IOException broken) {
      throw JsonInput.broken(broken);
    }
  }

  /** Moves from an object to the value of one of its fields. */
  private void enter(String wanted, JsonParser in, List<String> path) throws Problem, IOException {
    if (in.currentToken() != JsonToken.START_OBJECT) {
      throw missing(in, path);
    }
    for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
      in.nextToken();
      if (name.equals(wanted)) {
        return;
      }
      in.skipChildren();
    }
    throw missing(in, path);
  }

  private Position position(JsonParser in, List<String> path) throws Problem, IOException {
    if (in.currentToken() != JsonToken.START_ARRAY) {
      return new Position(number(in, path), 0, 0);
    }
    long[] numbers = new long[MAX_NUMBERS];
    int count = 0;
    while (in.nextToken() != JsonToken.END_ARRAY) {
      if (count == MAX_NUMBERS) {
        throw problem("found a list of more", path);
      }
      numbers[count++] = number(in, path);
    }
    if (count == 0) {
      throw problem("found an empty list", path);
    }
    return new Position(numbers[0], numbers[1], numbers[2]);
  }

  private long number(JsonParser in, List<String> path) throws Problem, IOException {
    if (in.currentToken() == JsonToken.VALUE_NULL) {
      throw missing(in, path);
    }
    if (in.currentToken() != JsonToken.VALUE_NUMBER_INT) {
      throw problem("found " + JsonInput.kind(in.currentToken()), path);
    }
    if (in.getNumberType() == NumberType.BIG_INTEGER || in.getLongValue() < 0) {
      throw problem("found a number out of that range", path);
    }
    return in.getLongValue();
  }

  private Problem missing(JsonParser in, List<String> path) {
    String found = in.currentToken() == JsonToken.VALUE_NULL ? "found null" : "found no such field";
    boolean partial = path.get(0).equals("before");
    return problem(
        found + (partial ? " (a delete has it only with REPLICA IDENTITY FULL)" : ""), path);
  }

  private Problem problem(String found, List<String> path) {
    return new Problem(
        "version: "
            + scheme
            + " expects an integer of at least 0 and below 2^63, or a list of up to three, at "
            + String.join(".", path)
            + ", "
            + found);
  }
}
