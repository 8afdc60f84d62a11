package io.tidemark.debezium.value;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.debezium.json.Problem;
import io.tidemark.row.RowWriter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Stands in front of a row writer and holds back the placeholder that Debezium sends for a column
 * that the source did not give it, in each of the forms that it takes.
 *
 * <p>Of some types an unavailable value comes as a plain null, which no reader can tell from SQL's:
 * {@link NoPlaceholder} lists them.
 *
 * <p>The forms are those of Debezium 3.6, class {@code UnchangedToastedPlaceholder} of its
 * PostgreSQL connector, and what its modes for binary values and hstore make of them.
 */
public final class UnavailableValue implements RowWriter {
  private static final String HEX = "hex:";

  private final RowWriter row;
  private final byte[] bytes;
  private final boolean none;
  private final List<String> texts;
  private final List<Integer> ints;
  private final List<Long> longs;
  private final UUID uuid;
  private final String uuidText;
  private final Map<Integer, Object> heldBack = new TreeMap<>();

  /**
   * Makes one.
   *
   * @param configured Debezium's {@code unavailable.value.placeholder}: a text, or the bytes after
   *     {@code hex:} in hexadecimal; empty for none
   * @param row what all other values go to
   * @throws IllegalArgumentException if no hexadecimal bytes follow {@code hex:}
   */
  public UnavailableValue(String configured, RowWriter row) {
    this.row = row;
    bytes =
        configured.startsWith(HEX)
            ? HexFormat.of().parseHex(configured.substring(HEX.length()))
            : configured.getBytes(UTF_8);
    none = bytes.length == 0;
    String placeholder = new String(bytes, UTF_8);
    String base64 = Base64.getEncoder().encodeToString(bytes);
    texts =
        List.of(
            placeholder,
            base64,
            base64.replace('+', '-').replace('/', '_'),
            HexFormat.of().formatHex(bytes),
            "{\"" + placeholder + "\":\"" + placeholder + "\"}"); // hstore as JSON
    List<Integer> numbers = new ArrayList<>();
    for (byte b : bytes) {
      numbers.add((int) b);
    }
    ints = List.copyOf(numbers);
    longs = ints.stream().map(Integer::longValue).toList();
    uuid = UUID.nameUUIDFromBytes(bytes);
    uuidText = uuid.toString();
  }

  /** Columns whose placeholder was held back since the last {@link #start}, ascending. */
  public List<Integer> heldBack() {
    return heldBack.isEmpty() ? List.of() : List.copyOf(heldBack.keySet());
  }

  /**
   * Takes a value that is none of its column's, if it is the placeholder as plain text.
   *
   * @return whether it is, and was held back
   */
  public boolean holdBack(int column, String text, Problem otherwise) {
    if (none || !text.equals(texts.get(0))) {
      return false;
    }
    heldBack.put(column, otherwise);
    return true;
  }

  /**
   * Passes on what was held back: the source sent all columns, so these are its own values.
   *
   * @throws Problem if one is no value of its column
   */
  public void passOn() throws Problem {
    for (Map.Entry<Integer, Object> held : heldBack.entrySet()) {
      int column = held.getKey();
      Object value = held.getValue();
      if (value instanceof Problem problem) {
        throw problem;
      } else if (value instanceof String text) {
        row.setString(column, text);
      } else if (value instanceof byte[] binary) {
        row.setBinary(column, binary);
      } else if (value instanceof List<?> list) {
        row.setList(column, list);
      } else {
        @SuppressWarnings("unchecked") // the only other setter that holds back
        Map<String, ?> map = (Map<String, ?>) value;
        row.setMap(column, map);
      }
    }
    heldBack.clear();
  }

  @Override
  public void start() {
    if (!heldBack.isEmpty()) {
      heldBack.clear();
    }
    row.start();
  }

  @Override
  public void setBoolean(int column, boolean value) {
    row.setBoolean(column, value);
  }

  @Override
  public void setInt(int column, int value) {
    row.setInt(column, value);
  }

  @Override
  public void setLong(int column, long value) {
    row.setLong(column, value);
  }

  @Override
  public void setFloat(int column, float value) {
    row.setFloat(column, value);
  }

  @Override
  public void setDouble(int column, double value) {
    row.setDouble(column, value);
  }

  @Override
  public void setDecimal(int column, BigDecimal value) {
    row.setDecimal(column, value);
  }

  @Override
  public void setString(int column, String value) {
    if (isPlaceholder(value)) {
      heldBack.put(column, value);
    } else {
      row.setString(column, value);
    }
  }

  @Override
  public void setBinary(int column, byte[] value) {
    if (!none && Arrays.equals(value, bytes)) {
      heldBack.put(column, value);
    } else {
      row.setBinary(column, value);
    }
  }

  @Override
  public void setUuid(int column, UUID value) {
    row.setUuid(column, value);
  }

  @Override
  public void setList(int column, List<?> value) {
    if (isPlaceholder(value)) {
      heldBack.put(column, value);
    } else {
      row.setList(column, value);
    }
  }

  @Override
  public void setMap(int column, Map<String, ?> value) {
    String placeholder = texts.get(0);
    if (!none && value.size() == 1 && placeholder.equals(value.get(placeholder))) {
      heldBack.put(column, value);
    } else {
      row.setMap(column, value);
    }
  }

  @Override
  public void setStruct(int column, List<?> value) {
    row.setStruct(column, value);
  }

  @Override
  public byte[] finish() {
    return row.finish();
  }

  /**
   * Whether a column of the key is the placeholder.
   *
   * @param value as text or bytes, the types that the source can store apart; null for none
   */
  public boolean isLeftOut(@Nullable Object value) {
    return value instanceof String text
        ? isPlaceholder(text)
        : !none && value instanceof byte[] binary && Arrays.equals(binary, bytes);
  }

  private boolean isPlaceholder(String value) {
    if (none) {
      return false;
    }
    for (String text : texts) {
      if (value.equals(text)) { // the lengths differ for nearly all values
        return true;
      }
    }
    return false;
  }

  private boolean isPlaceholder(List<?> value) {
    if (none) {
      return false;
    }
    if (value.size() == 1) {
      Object only = value.get(0);
      if (uuid.equals(only)
          || (only instanceof String text && (isPlaceholder(text) || text.equals(uuidText)))
          || (only instanceof byte[] binary && Arrays.equals(binary, bytes))) {
        return true;
      }
    }
    return value.size() == ints.size() && (value.equals(ints) || value.equals(longs));
  }
}
