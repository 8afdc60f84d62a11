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
import org.jspecify.annotations.Nullable;

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
  private final @Nullable InventedVersion invented;

  /**
   * Makes one.
   *
   * @param flat whether the events are rows without an envelope
   * @param fromRow whether a delete's version is a value of the row that it deletes, which the
   *     source may not have sent
   */
  FieldVersion(VersionScheme.Field scheme, boolean flat, boolean fromRow) {
    this.scheme = scheme;
    boolean column = scheme.path().size() == 1 && !flat;
    inRow = column ? List.of("after", scheme.path().get(0)) : scheme.path();
    inDelete = column ? List.of("before", scheme.path().get(0)) : scheme.path();
    invented = fromRow ? new InventedVersion(inDelete) : null;
  }

  /** Whether a delete of an enveloped event has its version from the row that it deletes. */
  static boolean isOfRow(VersionScheme.Field scheme) {
    return scheme.path().size() == 1 || scheme.path().get(0).equals("before");
  }

  @Override
  public SourcePosition read(EventFacts event) throws Problem {
    if (event.kind() != Kind.DELETE) {
      return new SourcePosition.Given(position(event, inRow));
    }
    Position position = position(event, inDelete);
    if (invented != null
        && !event.source().hasWholeDeletes()
        && invented.mayBe(position, event.message().schema())) {
      throw new Problem(
          "version: "
              + scheme
              + " found 0 or the column's default at "
              + String.join(".", inDelete)
              + " of a delete, which may be invented: without REPLICA IDENTITY FULL on the source table"
              + " a delete holds the key alone, and Debezium such values for the rest. The delete would"
              + " stand below the row that it is of. Set REPLICA IDENTITY FULL, and give rows versions"
              + " above 0; once deletes hold the whole row for sure, say so with before: full in the"
              + " route");
    }
    return new SourcePosition.Given(position);
  }

  private Position position(EventFacts event, List<String> path) throws Problem {
    try (JsonParser in = event.message().open()) {
      in.nextToken();
      for (String name : path) {
        enter(name, in, path);
      }
      return position(in, path);
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
    String remedy = "";
    if (path.get(0).equals("before")) {
      remedy = " (a delete has it only with REPLICA IDENTITY FULL)";
    } else if (inDelete.get(0).equals("after")) {
      remedy = " (no delete has after: field:<column> takes it from before there)";
    }
    return problem(found + remedy, path);
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
