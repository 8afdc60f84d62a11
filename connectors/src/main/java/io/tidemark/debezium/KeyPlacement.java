package io.tidemark.debezium;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.debezium.format.MessageReader;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the message key says where the row's key is the route's own choice: whether all changes of a
 * row lie in one partition, and which of its columns are the source's key.
 *
 * <p>Kafka's order holds within a partition, and so does the rank of a snapshot. A producer chooses
 * the partition by the message key. Where that has no column which the row's key lacks, changes of
 * one row have one message key; where it has, an update of that column puts the row's delete and
 * its insert into two partitions. A topic of one partition has nothing to choose.
 *
 * <p>A message key that is one value has no name that could tell. It is the row's own where it is
 * the text that the row's only key column has, which is the same in each change of the row.
 */
final class KeyPlacement {
  private static final int MAX_SHOWN = 12;

  /** What Debezium's {@code ByLogicalTableRouter} adds to keys, and to no row. */
  private static final String PHYSICAL_TABLE = "__dbz__physicalTableIdentifier";

  private final MessageReader keys;
  private final List<String> columns;
  private final boolean severalPartitions;

  KeyPlacement(DecoderSettings settings) {
    keys = settings.format().keys();
    columns = settings.keyColumns();
    severalPartitions = settings.severalPartitions();
  }

  /**
   * Checks a change.
   *
   * @param row the key columns of its row, complete
   * @throws Problem if other changes of its row may lie in other partitions
   */
  void require(RawRecord record, KeyValues row) throws Problem {
    // Partitions may be added while the topic is read: then their records are the first to show it.
    if (!severalPartitions && record.at().partition() == 0) {
      return;
    }
    byte[] bytes = record.key();
    String found = bytes == null ? "no key" : otherThanColumns(record, bytes, row);
    if (found != null && !isText(bytes, row)) {
      throw problem(found);
    }
  }

  /**
   * Whether the message key has a column of the row's key: by its name, or as the row's only one.
   */
  boolean tells(RawRecord record, KeyValues row, String column) {
    byte[] bytes = record.key();
    if (bytes == null) {
      return false;
    }
    boolean told = false;
    try (JsonParser in = keys.read(bytes, record.headers()).open()) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        told = bare(in, row) == null;
      } else {
        for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
          in.nextToken();
          in.skipChildren();
          told |= name.equals(column);
        }
        JsonInput.expectEnd(in);
      }
    } catch (IOException | Problem unreadable) {
      told = false;
    }
    return told || isText(bytes, row);
  }

  /** What a key has beside columns of the row's key; null if it has nothing. */
  private @Nullable String otherThanColumns(RawRecord record, byte[] bytes, KeyValues row) {
    List<String> names = new ArrayList<>();
    boolean others = false;
    try (JsonParser in = keys.read(bytes, record.headers()).open()) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        return bare(in, row);
      }
      for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
        in.nextToken();
        in.skipChildren();
        others |= !columns.contains(name);
        if (names.size() < MAX_SHOWN) {
          names.add(JsonInput.quoted(name));
        }
      }
      JsonInput.expectEnd(in);
    } catch (IOException broken) {
      return unreadable(JsonInput.broken(broken), row);
    } catch (Problem unreadable) {
      return unreadable(unreadable, row);
    }
    return others ? "the columns " + String.join(", ", names) : null;
  }

  /** What a key without names is; null if it is the row's. */
  private @Nullable String bare(JsonParser in, KeyValues row) throws Problem, IOException {
    JsonToken token = in.currentToken();
    String found = JsonInput.kind(token) + ", which does not name its column";
    if (columns.size() > 1 || token == null || !token.isScalarValue()) {
      return found;
    }
    String text = row.onlyText();
    if (text == null) {
      return found + ", and is not compared with " + columns.get(0) + ", for its type";
    }
    boolean equal =
        switch (token) {
          case VALUE_STRING, VALUE_NUMBER_INT, VALUE_TRUE, VALUE_FALSE -> text.equals(in.getText());
          default -> false; // a fraction has several texts
        };
    JsonInput.expectEnd(in);
    return equal ? null : found + another();
  }

  private String unreadable(Problem problem, KeyValues row) {
    return "one that cannot be read ("
        + problem.text()
        + ")"
        + (row.onlyText() == null ? "" : another());
  }

  private String another() {
    return ", and is not the value of " + columns.get(0) + " in the row";
  }

  /** Whether a converter that writes neither JSON nor Avro wrote the row's key. */
  private static boolean isText(byte @Nullable [] bytes, KeyValues row) {
    String text = row.onlyText();
    return text != null && Arrays.equals(bytes, text.getBytes(StandardCharsets.UTF_8));
  }

  private Problem problem(String found) {
    return new Problem(
        "message key: expected no other columns than those of the route's key, "
            + String.join(", ", columns)
            + ", since the topic has several partitions and the message key decides which one a change"
            + " goes to; found "
            + found
            + ". Changes of one row would lie in different partitions, and nothing orders those. Set the"
            + " connector's message.key.columns to columns of the route's key"
            + (found.contains(PHYSICAL_TABLE)
                ? " (ByLogicalTableRouter: key.enforce.uniqueness=false)"
                : "")
            + ", or have one partition; in a new topic, with a new snapshot");
  }
}
