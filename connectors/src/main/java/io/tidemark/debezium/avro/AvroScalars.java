package io.tidemark.debezium.avro;

import com.fasterxml.jackson.core.Base64Variant;
import com.fasterxml.jackson.core.Base64Variants;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.ObjectCodec;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.core.base.ParserMinimalBase;
import io.tidemark.debezium.json.BrokenInput;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** The value at the current token, in all the forms that Jackson's parsers give it. */
abstract class AvroScalars extends ParserMinimalBase {
  final AvroBytes in;

  private long integer;
  private double real;
  private boolean narrow;

  // A string token: its text, or where it lies. It is decoded when somebody asks.
  private @Nullable String text;
  private int from;
  private int length;
  private boolean binary;
  private boolean closed;

  AvroScalars(AvroBytes in) {
    super(StreamReadConstraints.defaults());
    this.in = in;
  }

  /** Reads a value that is no object and no list. */
  final JsonToken scalar(AvroType type) throws BrokenInput {
    return switch (type.kind) {
      case NULL -> JsonToken.VALUE_NULL;
      case BOOLEAN -> in.readBoolean() ? JsonToken.VALUE_TRUE : JsonToken.VALUE_FALSE;
      case INT -> integer(in.readInt());
      case LONG -> integer(in.readLong());
      case FLOAT -> real(in.readFloat(), true);
      case DOUBLE -> real(in.readDouble(), false);
      case STRING -> bytes(in.readLength(), false);
      case BYTES -> bytes(in.readLength(), true);
      case FIXED -> bytes(type.size, true);
      case ENUM -> symbol(type);
      default -> throw new AssertionError("No scalar: " + type);
    };
  }

  private JsonToken integer(long value) {
    integer = value;
    return JsonToken.VALUE_NUMBER_INT;
  }

  private JsonToken real(double value, boolean isFloat) {
    real = value;
    narrow = isFloat;
    if (Double.isFinite(value)) {
      return JsonToken.VALUE_NUMBER_FLOAT;
    }
    text = Double.toString(value); // the names that Kafka Connect writes too
    binary = false;
    return JsonToken.VALUE_STRING;
  }

  private JsonToken bytes(int count, boolean isBinary) throws BrokenInput {
    text = null;
    from = in.at();
    length = count;
    binary = isBinary;
    in.skip(count);
    return JsonToken.VALUE_STRING;
  }

  private JsonToken symbol(AvroType type) throws BrokenInput {
    int index = in.readInt();
    if (index < 0 || index >= type.symbols()) {
      throw new BrokenInput("Avro with an enum symbol that its schema does not have");
    }
    text = type.name(index);
    binary = false;
    return JsonToken.VALUE_STRING;
  }

  @Override
  public @Nullable String getText() throws IOException {
    if (_currToken == JsonToken.VALUE_STRING) {
      return string();
    }
    if (_currToken == JsonToken.FIELD_NAME) {
      return getParsingContext().getCurrentName();
    }
    if (_currToken == JsonToken.VALUE_NUMBER_INT) {
      return Long.toString(integer);
    }
    if (_currToken == JsonToken.VALUE_NUMBER_FLOAT) {
      return decimal().toString();
    }
    return _currToken == null ? null : _currToken.asString();
  }

  private String string() throws IOException {
    String known = text;
    if (known == null) {
      known =
          binary
              ? Base64Variants.MIME_NO_LINEFEEDS.encode(in.copy(from, length))
              : in.text(from, length);
      text = known;
    }
    return known;
  }

  @Override
  public byte[] getBinaryValue(Base64Variant variant) throws IOException {
    if (_currToken != JsonToken.VALUE_STRING) {
      throw new JsonParseException(this, "no string");
    }
    if (binary) {
      return in.copy(from, length);
    }
    try {
      return variant.decode(string());
    } catch (IllegalArgumentException notBase64) {
      throw new JsonParseException(this, "not base64", notBase64);
    }
  }

  @Override
  public NumberType getNumberType() throws IOException {
    requireNumber();
    if (_currToken == JsonToken.VALUE_NUMBER_FLOAT) {
      return narrow ? NumberType.FLOAT : NumberType.DOUBLE;
    }
    return integer == (int) integer ? NumberType.INT : NumberType.LONG;
  }

  @Override
  public Number getNumberValue() throws IOException {
    requireNumber();
    return switch (getNumberType()) {
      case INT -> (int) integer;
      case LONG -> integer;
      case FLOAT -> (float) real;
      default -> real;
    };
  }

  @Override
  public int getIntValue() throws IOException {
    long value = getLongValue();
    if (value != (int) value) {
      throw new JsonParseException(this, "no 32-bit integer");
    }
    return (int) value;
  }

  @Override
  public long getLongValue() throws IOException {
    if (_currToken != JsonToken.VALUE_NUMBER_INT) {
      throw new JsonParseException(this, "no integer");
    }
    return integer;
  }

  @Override
  public BigInteger getBigIntegerValue() throws IOException {
    return BigInteger.valueOf(getLongValue());
  }

  @Override
  public float getFloatValue() throws IOException {
    return (float) getDoubleValue();
  }

  @Override
  public double getDoubleValue() throws IOException {
    requireNumber();
    return _currToken == JsonToken.VALUE_NUMBER_INT ? integer : real;
  }

  @Override
  public BigDecimal getDecimalValue() throws IOException {
    requireNumber();
    return decimal();
  }

  /** The shortest text of a number is what JSON has of it. */
  private BigDecimal decimal() {
    if (_currToken == JsonToken.VALUE_NUMBER_INT) {
      return BigDecimal.valueOf(integer);
    }
    return new BigDecimal(narrow ? Float.toString((float) real) : Double.toString(real));
  }

  private void requireNumber() throws IOException {
    if (_currToken != JsonToken.VALUE_NUMBER_INT && _currToken != JsonToken.VALUE_NUMBER_FLOAT) {
      throw new JsonParseException(this, "no number");
    }
  }

  @Override
  public char[] getTextCharacters() throws IOException {
    return String.valueOf(getText()).toCharArray();
  }

  @Override
  public boolean hasTextCharacters() {
    return false;
  }

  @Override
  public int getTextLength() throws IOException {
    return String.valueOf(getText()).length();
  }

  @Override
  public int getTextOffset() {
    return 0;
  }

  @Override
  @Deprecated
  public @Nullable String getCurrentName() {
    return currentName();
  }

  @Override
  public @Nullable String currentName() {
    JsonStreamContext here = getParsingContext();
    boolean entered = _currToken == JsonToken.START_OBJECT || _currToken == JsonToken.START_ARRAY;
    return entered ? here.getParent().getCurrentName() : here.getCurrentName();
  }

  @Override
  public void overrideCurrentName(String name) {
    throw new UnsupportedOperationException("Names come from the schema");
  }

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public JsonLocation currentLocation() {
    return JsonLocation.NA;
  }

  @Override
  public JsonLocation currentTokenLocation() {
    return JsonLocation.NA;
  }

  @Override
  @Deprecated
  public JsonLocation getCurrentLocation() {
    return JsonLocation.NA;
  }

  @Override
  @Deprecated
  public JsonLocation getTokenLocation() {
    return JsonLocation.NA;
  }

  @Override
  public @Nullable ObjectCodec getCodec() {
    return null;
  }

  @Override
  public void setCodec(@Nullable ObjectCodec codec) {
    throw new UnsupportedOperationException("Tokens alone");
  }

  @Override
  public Version version() {
    return Version.unknownVersion();
  }

  @Override
  protected void _handleEOF() {}
}
