package io.tidemark.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

class DifferencesTest {

  @Test
  void equalRowsDoNotDiffer() {
    assertThat(between(List.of(row(1), row(2)), List.of(row(2), row(1))))
        .isEqualTo(new Differences(0, List.of()));
  }

  @Test
  void changedCellIsNamed() {
    assertThat(between(List.of(row(1), row(2)), List.of(row(1), with(row(2), "note", "other"))))
        .isEqualTo(
            new Differences(1, List.of("key 2 column note: expected 'a note', found 'other'")));
  }

  @Test
  void nullIsNoEmptyText() {
    assertThat(between(List.of(with(row(1), "note", "")), List.of(with(row(1), "note", null))))
        .isEqualTo(new Differences(1, List.of("key 1 column note: expected '', found NULL")));
  }

  @Test
  void microsecondIsSeen() {
    Record later =
        with(row(1), "updated_at", OffsetDateTime.parse("2024-05-01T14:00:00.123457+02:00"));
    assertThat(between(List.of(row(1)), List.of(later)))
        .isEqualTo(
            new Differences(
                1,
                List.of(
                    "key 1 column updated_at: expected '2024-05-01T12:00:00.123456', found"
                        + " '2024-05-01T12:00:00.123457'")));
  }

  @Test
  void signOfZeroAndLastDigitOfDecimalAreSeen() {
    assertThat(
            between(
                    List.of(
                        with(row(1), "weight", 0.0),
                        with(row(2), "amount", new BigDecimal("1.50"))),
                    List.of(
                        with(row(1), "weight", -0.0),
                        with(row(2), "amount", new BigDecimal("1.51"))))
                .rows())
        .isEqualTo(2);
  }

  @Test
  void missingRowIsNamed() {
    assertThat(between(List.of(row(1), row(2)), List.of(row(1))))
        .isEqualTo(new Differences(1, List.of("key 2 is missing")));
  }

  @Test
  void extraRowIsNamed() {
    assertThat(between(List.of(row(1)), List.of(row(1), row(7))))
        .isEqualTo(new Differences(1, List.of("key 7 is not expected")));
  }

  @Test
  void secondRowOfOneKeyIsNamed() {
    assertThat(between(List.of(row(1)), List.of(row(1), row(1))))
        .isEqualTo(new Differences(1, List.of("key 1 is there more than once")));
  }

  @Test
  void allDifferencesCountButOnlyTenAreShown() {
    List<Record> expected = new ArrayList<>();
    for (long key = 1; key <= 25; key++) {
      expected.add(row(key));
    }

    Differences differences = between(expected, List.of());

    assertThat(differences.rows()).isEqualTo(25);
    assertThat(differences.examples()).hasSize(10).startsWith("key 1 is missing");
  }

  private static Differences between(List<Record> expected, List<Record> found) {
    return Differences.between(OrderRows.of(expected), OrderRows.of(found));
  }

  private static Record with(Record row, String column, Object value) {
    row.setField(column, value);
    return row;
  }

  private static Record row(long key) {
    List<Object> values =
        Arrays.asList(
            key,
            "customer",
            new BigDecimal("12.30"),
            3,
            "new",
            "a note",
            LocalDate.parse("2024-02-29"),
            OffsetDateTime.parse("2024-05-01T14:00:00.123456+02:00"),
            LocalDateTime.parse("1969-12-31T23:59:59.999999"),
            UUID.fromString("123e4567-e89b-12d3-a456-426614174000"),
            ByteBuffer.wrap(new byte[] {0, (byte) 0xff}),
            true,
            Double.NaN,
            Arrays.asList("a", null),
            LocalTime.parse("23:59:59.000001"),
            "{\"a\": 1}");
    List<Types.NestedField> fields = new ArrayList<>();
    for (OrderColumn column : OrderColumn.ALL) {
      fields.add(Types.NestedField.optional(fields.size() + 100, column.name(), column.type()));
    }
    GenericRecord row = GenericRecord.create(new Schema(fields));
    for (int i = 0; i < values.size(); i++) {
      row.set(i, values.get(i));
    }
    return row;
  }
}
