package io.tidemark.flink.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.row.Column;
import io.tidemark.row.ColumnType;
import io.tidemark.row.ColumnType.Simple;
import io.tidemark.row.RowShape;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BinaryRowEncoderTest {
  private static final ColumnType STRUCT =
      new ColumnType.Struct(
          List.of(new ColumnType.Field("a", Simple.STRING), new ColumnType.Field("b", Simple.INT)));

  private static final RowShape SHAPE =
      new RowShape(
          List.of(
              new Column("id", Simple.LONG, true),
              new Column("flag", Simple.BOOLEAN, false),
              new Column("i", Simple.INT, false),
              new Column("f", Simple.FLOAT, false),
              new Column("d", Simple.DOUBLE, false),
              new Column("text", Simple.STRING, false),
              new Column("bytes", Simple.BINARY, false),
              new Column("uuid", Simple.UUID, false),
              new Column("small", new ColumnType.Decimal(9, 2), false),
              new Column("large", new ColumnType.Decimal(38, 4), false),
              new Column("list", new ColumnType.ListOf(Simple.STRING), false),
              new Column("map", new ColumnType.MapOf(Simple.LONG), false),
              new Column("struct", STRUCT, false)));

  private final BinaryRowEncoder encoder = new BinaryRowEncoder(SHAPE);

  /** One random value for each column; null for some. */
  private static List<Object> randomRow(Random random) {
    List<Object> row =
        new ArrayList<>(
            Arrays.asList(
                random.nextLong(),
                random.nextBoolean(),
                random.nextInt(),
                random.nextFloat(),
                random.nextDouble(),
                "ä".repeat(random.nextInt(8)),
                new byte[random.nextInt(20)],
                new UUID(random.nextLong(), random.nextLong()),
                BigDecimal.valueOf(random.nextInt(99_999_999), 2),
                new BigDecimal(new java.math.BigInteger(100, random), 4).negate(),
                Arrays.asList("x", null, "a longer text"),
                new LinkedHashMap<>(Map.of("b", 1L, "a", 2L, "c", random.nextLong())),
                Arrays.asList("text", random.nextInt())));
    random.nextBytes((byte[]) row.get(6));
    for (int i = 1; i < row.size(); i++) {
      if (random.nextInt(4) == 0) {
        row.set(i, null);
      }
    }
    return row;
  }

  @SuppressWarnings("unchecked")
  private static byte[] encode(BinaryRowEncoder to, List<Object> row, List<Integer> order) {
    to.start();
    for (int i : order) {
      Object value = row.get(i);
      if (value == null) {
        continue;
      }
      switch (i) {
        case 0 -> to.setLong(i, (Long) value);
        case 1 -> to.setBoolean(i, (Boolean) value);
        case 2 -> to.setInt(i, (Integer) value);
        case 3 -> to.setFloat(i, (Float) value);
        case 4 -> to.setDouble(i, (Double) value);
        case 5 -> to.setString(i, (String) value);
        case 6 -> to.setBinary(i, (byte[]) value);
        case 7 -> to.setUuid(i, (UUID) value);
        case 8, 9 -> to.setDecimal(i, (BigDecimal) value);
        case 10 -> to.setList(i, (List<?>) value);
        case 11 -> to.setMap(i, (Map<String, ?>) value);
        default -> to.setStruct(i, (List<?>) value);
      }
    }
    return to.finish();
  }

  private static List<Integer> inOrder() {
    return new ArrayList<>(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 5, 8})
  void equalRowsHaveEqualBytesInWhateverOrderTheyAreSetAndWhateverWasEncodedBefore(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 300; i++) {
      List<Object> row = randomRow(random);
      byte[] fresh = encode(new BinaryRowEncoder(SHAPE), row, inOrder());
      List<Integer> order = inOrder();
      Collections.shuffle(order, random);

      assertThat(encode(encoder, row, order)).as("order %s", order).isEqualTo(fresh);
      assertThat(encode(encoder, row, inOrder())).isEqualTo(fresh);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {13, 21})
  void flinkReadsTheSameValuesAsTheReader(long seed) {
    Random random = new Random(seed);
    BinaryRowReader reader = new BinaryRowReader(SHAPE.columns().size());
    for (int i = 0; i < 300; i++) {
      List<Object> row = randomRow(random);
      byte[] bytes = encode(encoder, row, inOrder());
      BinaryRowData flink = new BinaryRowData(SHAPE.columns().size());
      flink.pointTo(MemorySegmentFactory.wrap(bytes), 0, bytes.length);
      reader.pointTo(bytes);

      for (int column = 0; column < row.size(); column++) {
        assertThat(reader.isNull(column))
            .isEqualTo(flink.isNullAt(column))
            .isEqualTo(row.get(column) == null);
      }
      assertThat(reader.getLong(0)).isEqualTo(flink.getLong(0)).isEqualTo(row.get(0));
      check(row, 1, reader.getBoolean(1), flink.getBoolean(1));
      check(row, 2, reader.getInt(2), flink.getInt(2));
      check(row, 3, reader.getFloat(3), flink.getFloat(3));
      check(row, 4, reader.getDouble(4), flink.getDouble(4));
      if (row.get(5) != null) {
        check(row, 5, reader.getString(5), flink.getString(5).toString());
      }
      if (row.get(6) != null) {
        assertThat(reader.getBytes(6)).isEqualTo(flink.getBinary(6)).isEqualTo(row.get(6));
      }
      if (row.get(7) != null) {
        assertThat(reader.getUuid(7)).isEqualTo(row.get(7));
      }
      if (row.get(8) != null) {
        check(row, 8, reader.getDecimal(8, 9, 2), flink.getDecimal(8, 9, 2).toBigDecimal());
      }
      if (row.get(9) != null) {
        check(row, 9, reader.getDecimal(9, 38, 4), flink.getDecimal(9, 38, 4).toBigDecimal());
      }
      if (row.get(12) != null) {
        assertThat(reader.getStruct(12, 2).getInt(1)).isEqualTo(((List<?>) row.get(12)).get(1));
      }
    }
  }

  private static void check(List<Object> row, int column, Object ours, Object flinks) {
    assertThat(ours).isEqualTo(flinks);
    if (row.get(column) != null) {
      assertThat(ours).isEqualTo(row.get(column));
    }
  }

  @Test
  void mapsInAnyOrderHaveEqualBytes() {
    encoder.start();
    Map<String, Long> map = new LinkedHashMap<>();
    map.put("a", 1L);
    map.put("b", 2L);
    encoder.setMap(11, map);
    byte[] ab = encoder.finish();
    encoder.start();
    Map<String, Long> other = new LinkedHashMap<>();
    other.put("b", 2L);
    other.put("a", 1L);
    encoder.setMap(11, other);

    assertThat(encoder.finish()).isEqualTo(ab);
  }

  @Test
  void decimalOfAnotherScaleIsRefusedWithoutItsValue() {
    encoder.start();
    assertThatThrownBy(() -> encoder.setDecimal(8, new BigDecimal("1.234")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("A value of precision 4 and scale 3 is none of decimal(9, 2)");
  }

  @Test
  void decimalThatDoesNotFitIsRefused() {
    encoder.start();
    assertThatThrownBy(() -> encoder.setDecimal(8, new BigDecimal("12345678.90")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("A value of precision 10 and scale 2 is none of decimal(9, 2)");
  }

  @Test
  void structWithAnotherNumberOfFieldsIsRefused() {
    encoder.start();
    assertThatThrownBy(() -> encoder.setStruct(12, List.of("only one")))
        .hasMessage("A value of struct<a: string, b: int> needs 2 fields, got 1");
  }
}
