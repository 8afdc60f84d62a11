package io.tidemark.debezium.registry;

import io.tidemark.debezium.json.Problem;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Asks for an id that the registry has refused only once in a while: a topic full of messages of
 * another registry would ask for each of them. A schema that is registered later is found then. Not
 * thread-safe.
 */
final class RememberedRefusals implements SchemaRegistry {
  /** How long a refusal stands. */
  static final Duration STANDS = Duration.ofSeconds(10);

  private static final int CAPACITY = 256;

  private final SchemaRegistry registry;
  private final LongSupplier nanos;
  private final Map<SchemaId, Refusal> refusals =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<SchemaId, Refusal> eldest) {
          return size() > CAPACITY;
        }
      };

  private record Refusal(Problem problem, long atNanos) {}

  /**
   * Remembers what a registry refuses.
   *
   * @param nanos a clock that never goes back, such as {@link System#nanoTime}
   */
  RememberedRefusals(SchemaRegistry registry, LongSupplier nanos) {
    this.registry = registry;
    this.nanos = nanos;
  }

  @Override
  public RegisteredSchema schema(SchemaId id) throws Problem {
    Refusal refusal = refusals.get(id);
    if (refusal != null && nanos.getAsLong() - refusal.atNanos() < STANDS.toNanos()) {
      throw refusal.problem();
    }
    refusals.remove(id);
    try {
      return registry.schema(id);
    } catch (Problem problem) {
      refusals.put(id, new Refusal(problem, nanos.getAsLong()));
      throw problem;
    }
  }
}
