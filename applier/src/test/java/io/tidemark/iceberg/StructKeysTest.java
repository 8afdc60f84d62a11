package io.tidemark.iceberg;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

class StructKeysTest {

  /** Iceberg looks at no value of a file that others made. */
  @Test
  void aRowWithoutKeyIsRefusedByName() {
    Schema rows = new Schema(Types.NestedField.required(1, "id", Types.LongType.get()));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new StructKeys(rows, List.of("id")).of(new ArrayStruct(1)))
        .withMessage("A row has null in the key column id, and no change has such a key");
  }
}
