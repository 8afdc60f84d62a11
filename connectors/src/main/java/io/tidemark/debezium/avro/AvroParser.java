package io.tidemark.debezium.avro;

import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.debezium.avro.AvroType.Kind;
import io.tidemark.debezium.json.BrokenInput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads an Avro message as the tokens of the JSON text that Kafka Connect's JSON converter would
 * have written: bytes are strings of base64, {@code NaN} and infinities strings of their names,
 * unions their value.
 *
 * <p>Every token but a few costs at least a byte, so a message cannot make work beyond its length:
 * those that cost none are counted. The schema has no cycles, which bounds the depth.
 */
final class AvroParser extends AvroScalars {
  /** What may come of elements that take no bytes. */
  private static final int FREE_TOKENS = 1_000_000;

  private AvroFrame frame;
  private long tokensLeft;

  /** Reads the value that starts at {@code from} and ends where the bytes end. */
  AvroParser(AvroType type, byte[] bytes, int from) {
    super(new AvroBytes(bytes, from));
    frame = new AvroFrame(type, null, JsonStreamContext.TYPE_ROOT);
    tokensLeft = 4L * bytes.length + FREE_TOKENS;
  }

  @Override
  public @Nullable JsonToken nextToken() throws IOException {
    if (tokensLeft-- <= 0) {
      throw new BrokenInput("Avro with more than a million elements that take no bytes");
    }
    _currToken = next();
    return _currToken;
  }

  private @Nullable JsonToken next() throws BrokenInput {
    AvroFrame here = frame;
    if (here.named) {
      here.named = false;
      return value(here.type.kind == Kind.MAP ? here.type.part(0) : here.type.part(here.next++));
    }
    return switch (here.isRoot() ? Kind.UNION : here.type.kind) {
      case RECORD -> nextField(here);
      case MAP -> nextEntry(here);
      case ARRAY -> nextElement(here);
      default -> root(here);
    };
  }

  private @Nullable JsonToken root(AvroFrame root) throws BrokenInput {
    if (root.next++ == 0) {
      return value(root.type);
    }
    if (in.left() > 0) {
      throw new BrokenInput(
          "expected the end of the Avro message, found "
              + in.left()
              + " bytes more: it was written with another schema");
    }
    return null;
  }

  private JsonToken nextField(AvroFrame record) {
    if (record.next == record.type.count()) {
      return leave(JsonToken.END_OBJECT);
    }
    return name(record, record.type.name(record.next));
  }

  private JsonToken nextEntry(AvroFrame map) throws BrokenInput {
    if (isAtEnd(map)) {
      return leave(JsonToken.END_OBJECT);
    }
    int length = in.readLength();
    int from = in.at();
    in.skip(length);
    return name(map, in.text(from, length));
  }

  private JsonToken nextElement(AvroFrame list) throws BrokenInput {
    return isAtEnd(list) ? leave(JsonToken.END_ARRAY) : value(list.type.part(0));
  }

  /** Takes one element off the block; at a block's end, the next one begins. */
  private boolean isAtEnd(AvroFrame many) throws BrokenInput {
    if (many.left == 0) {
      many.left = in.readBlock();
      if (many.left == 0) {
        return true;
      }
    }
    many.left--;
    return false;
  }

  private static JsonToken name(AvroFrame object, String name) {
    object.name = name;
    object.named = true;
    return JsonToken.FIELD_NAME;
  }

  private JsonToken value(AvroType declared) throws BrokenInput {
    AvroType type = declared;
    if (type.kind == Kind.UNION) {
      long branch = in.readLong();
      if (branch < 0 || branch >= type.count()) {
        throw new BrokenInput("Avro with a union branch that its schema does not have");
      }
      type = type.part((int) branch);
    }
    return switch (type.kind) {
      case RECORD, MAP -> enter(type, JsonStreamContext.TYPE_OBJECT, JsonToken.START_OBJECT);
      case ARRAY -> enter(type, JsonStreamContext.TYPE_ARRAY, JsonToken.START_ARRAY);
      default -> scalar(type);
    };
  }

  private JsonToken enter(AvroType type, int context, JsonToken token) {
    frame = new AvroFrame(type, frame, context);
    return token;
  }

  private JsonToken leave(JsonToken token) {
    AvroFrame parent = frame.getParent();
    if (parent == null) {
      throw new AssertionError("The root is never left");
    }
    frame = parent;
    return token;
  }

  @Override
  public AvroFrame getParsingContext() {
    return frame;
  }
}
