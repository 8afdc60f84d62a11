package io.tidemark.debezium.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.debezium.json.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a registry refused is asked for again, but not for each message. */
class RememberedRefusalsTest {

  private static final SchemaId UNKNOWN = new SchemaId(SchemaId.Kind.SCHEMA, 7);
  private static final RegisteredSchema SCHEMA = new RegisteredSchema("\"int\"", List.of());

  private final List<SchemaId> asked = new ArrayList<>();
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // it may wrap
  private boolean registered;

  private final SchemaRegistry registry =
      new RememberedRefusals(
          id -> {
            asked.add(id);
            if (registered) {
              return SCHEMA;
            }
            throw new Problem("no such schema");
          },
          now::get);

  @Test
  void aRefusalStandsForAWhile() {
    for (int i = 0; i < 100; i++) {
      assertThatThrownBy(() -> registry.schema(UNKNOWN)).hasMessage("no such schema");
    }
    now.addAndGet(RememberedRefusals.STANDS.toNanos() - 1);
    assertThatThrownBy(() -> registry.schema(UNKNOWN)).hasMessage("no such schema");

    assertThat(asked).containsExactly(UNKNOWN);
  }

  @Test
  void aSchemaThatIsRegisteredLaterIsFound() throws Problem {
    assertThatThrownBy(() -> registry.schema(UNKNOWN)).hasMessage("no such schema");
    registered = true;
    now.addAndGet(RememberedRefusals.STANDS.toNanos());

    assertThat(registry.schema(UNKNOWN)).isEqualTo(SCHEMA);
    now.addAndGet(1);
    assertThat(registry.schema(UNKNOWN)).isEqualTo(SCHEMA);
  }

  @Test
  void otherIdsAreAskedFor() {
    assertThatThrownBy(() -> registry.schema(UNKNOWN)).hasMessage("no such schema");
    SchemaId other = new SchemaId(SchemaId.Kind.SCHEMA, 8);
    assertThatThrownBy(() -> registry.schema(other)).hasMessage("no such schema");

    assertThat(asked).containsExactly(UNKNOWN, other);
  }

  @Test
  void onlyTheLastRefusalsAreRemembered() {
    for (int i = 0; i < 300; i++) {
      SchemaId id = new SchemaId(SchemaId.Kind.SCHEMA, i);
      assertThatThrownBy(() -> registry.schema(id)).hasMessage("no such schema");
    }
    SchemaId first = new SchemaId(SchemaId.Kind.SCHEMA, 0);
    assertThatThrownBy(() -> registry.schema(first)).hasMessage("no such schema");

    assertThat(asked).hasSize(301);
  }
}
