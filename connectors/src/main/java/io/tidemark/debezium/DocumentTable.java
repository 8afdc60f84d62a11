package io.tidemark.debezium;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.debezium.format.MessageReader;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import io.tidemark.debezium.value.ColumnSpec;
import io.tidemark.debezium.value.Converters;
import io.tidemark.debezium.value.RowBudget;
import io.tidemark.debezium.value.ValueConverter;
import io.tidemark.row.Column;
import io.tidemark.row.ColumnType.Simple;
import io.tidemark.row.RowShape;
import io.tidemark.row.RowWriter;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the documents of a MongoDB collection into rows of an id and a document, both as text.
 * Debezium's connector sends no columns: its key is {@code {"id": <text>}}, {@code after} is a
 * text, both in MongoDB's extended JSON. Reused from message to message.
 *
 * <p>The column {@code _id} has the key's text as it is, but that of an ObjectId, which is its 24
 * digits. Different ids have different texts. The connector writes a string with its quotes, an
 * integer with at most 20 characters, a fraction with a point, and what is no number, boolean or
 * null as an object: so 24 bare hexadecimal digits are an ObjectId's alone. Numbers of different
 * types that are equal are one id to MongoDB, too.
 */
final class DocumentTable {
  /** As {@code source.connector} names it. */
  static final String CONNECTOR = "mongodb";

  static final String ID = "_id";
  private static final String DOCUMENT = "document";

  /** The columns of every collection. */
  static final RowShape SHAPE =
      new RowShape(
          List.of(new Column(ID, Simple.STRING, true), new Column(DOCUMENT, Simple.STRING, false)));

  private static final Pattern OBJECT_ID =
      Pattern.compile("\\{\\s*\"\\$oid\"\\s*:\\s*\"([0-9a-f]{24})\"\\s*}");

  private static final ValueConverter TEXT =
      Converters.forColumn(ColumnSpec.of(Simple.STRING), Simple.STRING, new RowBudget());

  private final boolean fits;
  private final RowWriter writer;
  private final MessageReader keys;
  private final KeyValues key;
  private final int idColumn;
  private final int documentColumn;

  /** Whether a table has a collection's columns, in any order. */
  static boolean isOf(RowShape shape) {
    return Set.copyOf(shape.columns()).equals(Set.copyOf(SHAPE.columns()));
  }

  /**
   * Makes one.
   *
   * @param shape any table's: where it is none of a collection, all reading is refused
   */
  DocumentTable(RowShape shape, DecoderSettings settings, RowWriter writer) {
    this.fits = isOf(shape);
    this.writer = writer;
    this.keys = settings.format().keys();
    this.key = new KeyValues(shape);
    this.idColumn = shape.positions().getOrDefault(ID, -1);
    this.documentColumn = shape.positions().getOrDefault(DOCUMENT, -1);
  }

  /** Starts a row with the document at the current token, which is a text. */
  void readDocument(JsonParser in) throws Problem, IOException {
    if (!fits) {
      throw new Problem(
          "expected an object, found a string, as the MongoDB connector writes a document. "
              + needed());
    }
    if (!in.getText().startsWith("{")) {
      throw new Problem("expected a document as JSON text, found another string");
    }
    writer.start();
    TEXT.convert(in, writer, documentColumn);
  }

  /**
   * The key of a record; good until the next call.
   *
   * @throws Problem if it has none, or is no document's
   */
  KeyValues readKey(RawRecord record) throws Problem {
    if (!fits) {
      throw new Problem("found a document of MongoDB. " + needed());
    }
    byte[] bytes = record.key();
    if (bytes == null) {
      throw new Problem("the message has no key, expected the document's id in it");
    }
    try (JsonParser in = keys.read(bytes, record.headers()).open()) {
      boolean object = in.nextToken() == JsonToken.START_OBJECT;
      if (!object || !"id".equals(in.nextFieldName()) || in.nextToken() != JsonToken.VALUE_STRING) {
        throw new Problem("expected the document's id as a text named id, found another key");
      }
      readId(in);
      if (in.nextToken() != JsonToken.END_OBJECT) {
        throw new Problem("expected the document's id alone, found more in the key");
      }
      JsonInput.expectEnd(in);
    } catch (IOException broken) {
      throw JsonInput.broken(broken).in("message key");
    } catch (Problem problem) {
      throw problem.in("message key");
    }
    return key;
  }

  private void readId(JsonParser in) throws Problem, IOException {
    key.start();
    Matcher objectId = OBJECT_ID.matcher(in.getText());
    if (objectId.matches()) {
      key.setString(idColumn, objectId.group(1));
    } else {
      TEXT.convert(in, key, idColumn);
    }
  }

  /** What a table must be for documents. */
  static String needed() {
    return "A collection's table has two columns, "
        + ID
        + ": string, which is its key, and "
        + DOCUMENT
        + ": string; without routes.key and routes.columns it is created so";
  }

  /** An update without its document. */
  static Problem missing() {
    return new Problem(
        "op u: expected a document in after, found none. If the connector's capture.mode is one"
            + " without full documents, set change_streams_update_full, and take a new snapshot: the"
            + " documents that were updated meanwhile are not in the topic. If it is, and"
            + " capture.mode.full.update.type is lookup, the document was deleted before it was looked"
            + " up, and its delete follows: set missing-document: ignore in the route");
  }

  /**
   * A document that a transform took apart.
   *
   * @param connector that made the record; null if it is not said
   */
  static void refuseFlattened(@Nullable String connector) throws Problem {
    if (CONNECTOR.equals(connector)) {
      throw new Problem(
          "found a document of MongoDB that ExtractNewDocumentState flattened: its columns are other"
              + " ones in each message, and an update may hold only some of them. Leave the transform"
              + " out, and set kafka.format to debezium-json or debezium-avro");
    }
  }
}
