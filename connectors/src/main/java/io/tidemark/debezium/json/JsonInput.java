package io.tidemark.debezium.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Opens parsers over bytes and puts into words what they complain about. */
public final class JsonInput {
  /** How deep objects and lists may be nested. */
  public static final int MAX_NESTING = 200;

  /** How long one string may be, in characters. */
  public static final int MAX_STRING_CHARS = 64 * 1024 * 1024;

  /**
   * How long one number may be: PostgreSQL's longest has 131,072 digits before the point, 16,383
   * after.
   */
  public static final int MAX_NUMBER_CHARS = 150_000;

  private static final String AVRO =
      ". They start as Avro with a schema id in front does: if so, set kafka.format to debezium-avro"
          + " or debezium-avro-flat";

  private static final int MAX_NAME_CHARS = 1000;
  private static final int MAX_SHOWN_CHARS = 80;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_NESTING)
                  .maxStringLength(MAX_STRING_CHARS)
                  .maxNumberLength(MAX_NUMBER_CHARS)
                  .maxNameLength(MAX_NAME_CHARS)
                  .build())
          // The JVM's own table of texts would keep every name that a message comes up with.
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .build();

  private JsonInput() {}

  /**
   * A parser over a part of {@code bytes}, before its first token.
   *
   * @throws Problem if the bytes start as no UTF-8 text that holds JSON can
   */
  public static JsonParser open(byte[] bytes, int from, int to) throws Problem, IOException {
    if (from >= to) {
      throw new Problem("expected JSON, found no bytes");
    }
    // Jackson would guess UTF-16 and UTF-32 from zero bytes and byte order marks.
    int first = bytes[from];
    if (first == 0
        || first == (byte) 0xfe
        || first == (byte) 0xff
        || (to - from > 1 && bytes[from + 1] == 0)) {
      throw new Problem(
          "expected JSON in UTF-8, found bytes that are not UTF-8" + (first == 0 ? AVRO : ""));
    }
    return FACTORY.createParser(bytes, from, to - from);
  }

  /** Whether a text that starts with this byte may be JSON as converters write it. */
  public static boolean startsLikeJson(byte first) {
    return "{[\"ntf-0123456789 ".indexOf(first) >= 0;
  }

  /** What a parser's exception means, without the text that it quotes. */
  public static Problem broken(IOException failure) {
    if (failure instanceof BrokenInput) {
      return new Problem(String.valueOf(failure.getMessage()));
    }
    if (failure instanceof StreamConstraintsException) {
      return new Problem(
          "JSON over a limit: nesting "
              + MAX_NESTING
              + ", strings "
              + MAX_STRING_CHARS
              + ", numbers "
              + MAX_NUMBER_CHARS
              + ", names "
              + MAX_NAME_CHARS
              + " characters");
    }
    if (failure instanceof JsonEOFException) {
      return new Problem("JSON that ends early");
    }
    String message = String.valueOf(failure.getMessage());
    return message.contains("UTF-8")
        ? new Problem("expected JSON in UTF-8, found bytes that are not UTF-8")
        : new Problem("not JSON");
  }

  /** What a token is, in the words of JSON; null is the end of the text. */
  public static String kind(@Nullable JsonToken token) {
    if (token == null) {
      return "the end";
    }
    return switch (token) {
      case START_OBJECT, END_OBJECT -> "an object";
      case START_ARRAY, END_ARRAY -> "a list";
      case VALUE_STRING -> "a string";
      case VALUE_NUMBER_INT -> "an integer";
      case VALUE_NUMBER_FLOAT -> "a fraction";
      case VALUE_TRUE, VALUE_FALSE -> "a boolean";
      case VALUE_NULL -> "null";
      default -> "no value";
    };
  }

  /** A problem that names what was expected and the kind of what was found. */
  public static Problem unexpected(String expected, JsonParser in) {
    return new Problem("expected " + expected + ", found " + kind(in.currentToken()));
  }

  /** A name or other short text from the message, quoted, cut to a length that suits a message. */
  public static String quoted(String text) {
    String shown =
        text.length() <= MAX_SHOWN_CHARS ? text : text.substring(0, MAX_SHOWN_CHARS) + "...";
    return '"' + shown + '"';
  }

  /**
   * Moves behind the last token of the text.
   *
   * @throws Problem if something follows
   */
  public static void expectEnd(JsonParser in) throws Problem, IOException {
    if (in.nextToken() != null) {
      throw new Problem("expected the end of the JSON text, found more after it");
    }
  }
}
