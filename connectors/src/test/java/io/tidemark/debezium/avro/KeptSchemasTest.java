package io.tidemark.debezium.avro;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.debezium.registry.RegisteredSchema;
import io.tidemark.debezium.registry.SchemaId;
import io.tidemark.debezium.registry.SchemaIds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How many schemas a reader keeps depends on how long they are. */
class KeptSchemasTest {
  private final List<Long> asked = new ArrayList<>();

  @Test
  void shortOnesAreAskedForOnceAndLongOnesGiveWay() throws Exception {
    read(reader(10), 1, 2, 3, 1, 2, 3);
    assertThat(asked).containsExactly(1L, 2L, 3L);
    asked.clear();
    read(reader(3 << 20), 1, 2, 1, 3, 1, 2);
    assertThat(asked).containsExactly(1L, 2L, 3L, 2L);
  }

  private AvroMessageReader reader(int length) {
    String schema = "{\"type\":\"long\",\"doc\":\"" + "x".repeat(length) + "\"}";
    return new AvroMessageReader(
        new SchemaIds(4, SchemaId.Kind.SCHEMA),
        "value",
        id -> {
          asked.add(id.number());
          return new RegisteredSchema(schema, List.of());
        });
  }

  private static void read(AvroMessageReader reader, int... ids) throws Exception {
    for (int id : ids) {
      reader.read(new byte[] {0, 0, 0, 0, (byte) id, 2}, Map.of());
    }
  }
}
