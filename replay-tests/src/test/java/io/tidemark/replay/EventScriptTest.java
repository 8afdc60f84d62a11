package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.oracle.Offsets;
import io.tidemark.oracle.Oracle;
import io.tidemark.oracle.OracleChange;
import io.tidemark.oracle.OracleOptions;
import io.tidemark.oracle.RawEvent;
import io.tidemark.script.EventScript;
import io.tidemark.script.ScriptOptions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Scripts hold what they promise, and the oracle brings each to its database's own answer. */
class EventScriptTest {

  @Test
  void foldOfAScriptIsItsDatabase() {
    Seed.upTo("EventScriptTest", 100)
        .forEach(
            seed -> {
              ScriptOptions plain = ScriptOptions.of(seed).resnapshots(1).schemas(seed % 2 == 0);
              foldsToItsDatabase(EventScript.of(plain));
              foldsToItsDatabase(EventScript.of(plain.ties(0.3)));
              foldsToItsDatabase(EventScript.of(plain.ties(0.2).unsent(0.7, false)));
              foldsToItsDatabase(EventScript.of(plain.repeated(3, 20, 2).unsent(0.7, false)));
              foldsToItsDatabase(EventScript.of(plain.repeated(3, 20, 2)));
            });
  }

  private static void foldsToItsDatabase(EventScript script) {
    OracleOptions options = OracleOptions.DEFAULT.withColumns(EventScript.columns());
    Oracle oracle = new Oracle(options, script.log(), Offsets.NONE);
    Map<Long, Map<String, @Nullable Object>> rows = new TreeMap<>();
    oracle
        .fold(script.log().end())
        .live()
        .forEach((key, row) -> rows.put((Long) key.get("id"), row.row()));
    Map<Long, Object> quantities = new TreeMap<>();
    rows.forEach(
        (id, row) -> quantities.put(id, row.get("qty") + "" + row.get("region") + row.get("name")));
    Map<Long, Object> truth = new TreeMap<>();
    script.truth().forEach((id, row) -> truth.put(id, shown(row)));
    assertThat(quantities).as(script.toString()).isEqualTo(truth);
  }

  private static String shown(JsonNode row) {
    return row.path("qty").asInt()
        + row.path("region").asText()
        + (row.path("name").isNull() ? null : row.path("name").asText());
  }

  @Test
  void theSameSeedGivesTheSameRecords() {
    ScriptOptions options = ScriptOptions.of(Seed.of("EventScriptTest", 7)).repeated(2, 5, 1);

    List<RawEvent> one = EventScript.of(options).events();
    List<RawEvent> other = EventScript.of(options).events();

    assertThat(one).usingRecursiveComparison().isEqualTo(other);
  }

  @Test
  void scriptsHoldTheHardCases() {
    int openAcrossSnapshot = 0;
    int keyChanges = 0;
    int again = 0;
    for (long seed = 1; seed <= 30; seed++) {
      EventScript script = EventScript.of(ScriptOptions.of(seed));
      Oracle oracle = new Oracle(OracleOptions.DEFAULT, script.log(), Offsets.NONE);
      long snapshot = Long.MAX_VALUE;
      Map<Map<String, Object>, Boolean> deleted = new java.util.HashMap<>();
      for (OracleChange change : oracle.changes()) {
        if (change.version().phase() == 1) {
          snapshot = Math.min(snapshot, lsn(change));
        } else if (lsn(change) < snapshot && snapshot != Long.MAX_VALUE) {
          openAcrossSnapshot++;
        }
        if (change.event().headers().containsKey("__debezium.newkey")) {
          keyChanges++;
        }
        if (Boolean.TRUE.equals(deleted.put(change.key(), change.row() == null))
            && change.row() != null) {
          again++;
        }
      }
    }
    assertThat(openAcrossSnapshot).isPositive();
    assertThat(keyChanges).isGreaterThan(50);
    assertThat(again).isGreaterThan(50);
  }

  private static long lsn(OracleChange change) {
    try {
      JsonNode value =
          new com.fasterxml.jackson.databind.ObjectMapper().readTree(change.event().value());
      return value.path("payload").path("source").path("lsn").asLong();
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
