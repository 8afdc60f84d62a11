package io.tidemark.iceberg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.List;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.junit.jupiter.api.Test;

class RowPlacementTest {
  private static final Schema SCHEMA = RowShapes.table(Orders.SHAPE);

  private static RowPlacement placement(String... partition) {
    return new RowPlacement(
        SCHEMA, List.of(PartitionExpressions.parse(List.of(partition), SCHEMA)), Orders.SHAPE);
  }

  @Test
  void unpartitionedTablesNeedNoBytes() {
    RowPlacement placement =
        new RowPlacement(SCHEMA, List.of(PartitionSpec.unpartitioned()), Orders.SHAPE);
    assertThat(placement.of(Orders.put(1, 1, "eu", "a").row())).isEmpty();
    placement.decode(new byte[0]);
  }

  @Test
  void bytesAreWhatTheyAlwaysWere() {
    RowPlacement placement = placement("region", "day(created_at)", "bucket(4, id)");
    assertThat(HexFormat.of().formatHex(placement.of(Orders.put(1, 1, "eu", "a").row())))
        .isEqualTo(
            "01" + "0109" + "0100000000000000" + "0203" + "6575" + "0309" + "0060d71d14000000");
    assertThat(HexFormat.of().formatHex(placement.of(Orders.put(0, 1, "", "a").row())))
        .isEqualTo("01" + "0109" + "0000000000000000" + "0200" + "0309" + "0000000000000000");
  }

  @Test
  void valuesComeBack() {
    RowPlacement placement = placement("region", "day(created_at)", "bucket(4, id)");
    var values = placement.decode(placement.of(Orders.put(1, 1, "eu", "a").row()));
    assertThat(values.get(0, Long.class)).isEqualTo(1L);
    assertThat(values.get(1, CharSequence.class)).isEqualTo("eu");
    assertThat(values.get(2, Long.class)).isEqualTo(Orders.DAY);
  }

  @Test
  void columnsThatNoSpecUsesAnyMoreAreSkipped() {
    byte[] wide =
        placement("region", "day(created_at)", "id").of(Orders.put(3, 1, "eu", "a").row());
    assertThat(placement("day(created_at)").decode(wide).get(2, Long.class))
        .isEqualTo(3 * Orders.DAY);
  }

  @Test
  void unknownFormatsAreRefused() {
    assertThatThrownBy(() -> placement("region").decode(new byte[] {9}))
        .hasMessageStartingWith(
            "A mark's partition in state has format 9, this build reads up to 1.");
  }
}
