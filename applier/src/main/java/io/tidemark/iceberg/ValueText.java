package io.tidemark.iceberg;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/** Values of Iceberg's generic records as text and as JSON. */
final class ValueText {
  static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN).build();

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS", Locale.ROOT);
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS", Locale.ROOT);

  private ValueText() {}

  /** The value as people read it: without quotes; nested values as JSON. */
  static String plain(Object value) {
    if (value instanceof Record || value instanceof List || value instanceof Map) {
      StringWriter text = new StringWriter();
      try (JsonGenerator out = JSON.createGenerator(text)) {
        json(out, value);
      } catch (IOException e) {
        throw new AssertionError("A string writer does not fail", e);
      }
      return text.toString();
    }
    return value instanceof BigDecimal decimal ? decimal.toPlainString() : scalar(value);
  }

  /** Writes the value as JSON. */
  static void json(JsonGenerator out, @Nullable Object value) throws IOException {
    if (value == null) {
      out.writeNull();
    } else if (value instanceof Boolean flag) {
      out.writeBoolean(flag);
    } else if (value instanceof BigDecimal number) {
      out.writeNumber(number);
    } else if (value instanceof Integer number) {
      out.writeNumber(number);
    } else if (value instanceof Long number) {
      out.writeNumber(number);
    } else if (value instanceof Float number && Float.isFinite(number)) {
      out.writeNumber(number);
    } else if (value instanceof Double number && Double.isFinite(number)) {
      out.writeNumber(number);
    } else if (value instanceof List<?> list) {
      out.writeStartArray();
      for (Object element : list) {
        json(out, element);
      }
      out.writeEndArray();
    } else if (value instanceof Map<?, ?> map) {
      out.writeStartObject();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.writeFieldName(plain(entry.getKey()));
        json(out, entry.getValue());
      }
      out.writeEndObject();
    } else if (value instanceof Record struct) {
      out.writeStartObject();
      for (Types.NestedField field : struct.struct().fields()) {
        out.writeFieldName(field.name());
        json(out, struct.getField(field.name()));
      }
      out.writeEndObject();
    } else {
      out.writeString(scalar(value));
    }
  }

  private static String scalar(Object value) {
    if (value instanceof OffsetDateTime zoned) {
      return TIMESTAMP.format(zoned.withOffsetSameInstant(ZoneOffset.UTC)) + "Z";
    }
    if (value instanceof LocalDateTime local) {
      return TIMESTAMP.format(local);
    }
    if (value instanceof LocalTime time) {
      return TIME.format(time);
    }
    if (value instanceof LocalDate date) {
      return date.toString();
    }
    if (value instanceof ByteBuffer bytes) {
      byte[] copy = new byte[bytes.remaining()];
      bytes.duplicate().get(copy);
      return Base64.getEncoder().encodeToString(copy);
    }
    if (value instanceof byte[] bytes) {
      return Base64.getEncoder().encodeToString(bytes);
    }
    return value.toString();
  }
}
