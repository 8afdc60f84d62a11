package io.tidemark.debezium.value;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.row.RowWriter;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Stands in front of a row writer and notices the placeholder that Debezium sends for a column that
 * the source did not give it, in each of the forms that it takes. None of them is passed on.
 *
 * <p>An unavailable {@code numeric} comes as a plain null: no reader can tell it from SQL's.
 */
public final class UnavailableValue implements RowWriter {
  private final RowWriter row;
  private final byte[] bytes;
  private final List<String> texts;
  private final List<Integer> ints;
  private final List<Long> longs;
  private final UUID uuid;
  private boolean noticed;

  /**
   * Makes one.
   *
   * @param placeholder Debezium's {@code unavailable.value.placeholder}
   * @param row what all other values go to
   */
  public UnavailableValue(String placeholder, RowWriter row) {
    this.row = row;
    bytes = placeholder.getBytes(UTF_8);
    String base64 = Base64.getEncoder().encodeToString(bytes);
    texts =
        List.of(
            placeholder,
            base64,
            base64.replace('+', '-').replace('/', '_'),
            HexFormat.of().formatHex(bytes),
            "{\"" + placeholder + "\":\"" + placeholder + "\"}"); // hstore as JSON
    ints = placeholder.chars().boxed().toList();
    longs = ints.stream().map(Integer::longValue).toList();
    uuid = UUID.nameUUIDFromBytes(bytes);
  }

  /** Whether a placeholder came since the last {@link #start}. */
  public boolean noticed() {
    return noticed;
  }

  @Override
  public void start() {
    noticed = false;
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
      noticed = true;
    } else {
      row.setString(column, value);
    }
  }

  @Override
  public void setBinary(int column, byte[] value) {
    if (Arrays.equals(value, bytes)) {
      noticed = true;
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
      noticed = true;
    } else {
      row.setList(column, value);
    }
  }

  @Override
  public void setMap(int column, Map<String, ?> value) {
    String placeholder = texts.get(0);
    if (value.size() == 1 && placeholder.equals(value.get(placeholder))) {
      noticed = true;
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

  private boolean isPlaceholder(String value) {
    for (String text : texts) {
      if (value.equals(text)) { // the lengths differ for nearly all values
        return true;
      }
    }
    return false;
  }

  private boolean isPlaceholder(List<?> value) {
    if (value.size() == 1) {
      Object only = value.get(0);
      return uuid.equals(only)
          || (only instanceof String text && isPlaceholder(text))
          || (only instanceof byte[] binary && Arrays.equals(binary, bytes));
    }
    return value.size() == ints.size() && (value.equals(ints) || value.equals(longs));
  }
}
