package io.tidemark.debezium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.tidemark.Seeds;
import io.tidemark.corpus.Corpus;
import io.tidemark.corpus.TextRow;
import io.tidemark.debezium.Unwrap.DeleteHandling;
import io.tidemark.debezium.avro.InMemoryAvro;
import io.tidemark.debezium.format.JsonFormat;
import io.tidemark.debezium.format.MessageFormat;
import io.tidemark.debezium.version.VersionScheme;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Damaged messages end as outcomes, whatever the damage and the format: 200,000 of them. */
class DecodeFuzzTest {

  /**
   * Recordings, how they are read, and how many damaged messages are made of each. A damaged schema
   * is read as a whole, which takes long: fewer of those.
   */
  private enum Log {
    TYPES("pg-types", "ty.all_types", "pg-types-schemas", 50_000),
    TYPES_SCHEMAS("pg-types-schemas", "ty.all_types", "pg-types-schemas", 10_000),
    ORDERS("pg-basic", "shop.orders", "pg-basic-schemas", 30_000),
    ORDERS_SCHEMAS("pg-basic-schemas", "shop.orders", "pg-basic-schemas", 10_000),
    AVRO("pg-basic-avro", "shop.orders", "pg-basic-avro", 50_000),
    FLAT("pg-unwrap-default", "shop.orders", "pg-basic-schemas", 20_000),
    FLAT_REWRITTEN("pg-unwrap-rewrite", "shop.orders", "pg-basic-schemas", 30_000);

    private final String corpus;
    private final String table;
    private final String schemasFrom;
    private final int mutations;

    Log(String corpus, String table, String schemasFrom, int mutations) {
      this.corpus = corpus;
      this.table = table;
      this.schemasFrom = schemasFrom;
      this.mutations = mutations;
    }

    private List<RawRecord> records(String from) {
      return Corpus.load(from).of("src." + table);
    }

    private ChangeDecoder decoder() {
      MessageFormat format =
          this == AVRO ? new InMemoryAvro(Corpus.schemas(corpus)) : new JsonFormat();
      ShapeResult.Discovered found =
          (ShapeResult.Discovered)
              new ShapeReader(List.of(), Map.of(), format, null).read(records(schemasFrom).get(0));
      return ChangeDecoder.of(
          found.shape(),
          DecoderSettings.DEFAULTS
              .withEncodings(found.encodings())
              .withOnUnrepresentable(OnUnrepresentable.NULL)
              .withFormat(format, unwrap())
              .withVersion(
                  this == FLAT ? new VersionScheme.KafkaOffset() : new VersionScheme.Auto()),
          new TextRow(found.shape()));
    }

    private @Nullable Unwrap unwrap() {
      return switch (this) {
        case FLAT -> Unwrap.DEFAULTS;
        case FLAT_REWRITTEN -> new Unwrap(DeleteHandling.REWRITE, List.of(), "__", List.of(), "__");
        default -> null;
      };
    }
  }

  @ParameterizedTest
  @EnumSource(Log.class)
  void everyDamagedMessageHasAnOutcome(Log log) {
    Random random = Seeds.random("DecodeFuzzTest." + log, 31);
    Damage damage = new Damage(random);
    List<RawRecord> seeds = log.records(log.corpus);
    ChangeDecoder decoder = log.decoder();
    Map<String, Integer> outcomes = new HashMap<>();

    for (int i = 0; i < log.mutations; i++) {
      RawRecord seed = seeds.get(random.nextInt(seeds.size()));
      RawRecord damaged = damage.to(seed);
      DecodeResult[] result = new DecodeResult[1];
      assertThatCode(() -> result[0] = decoder.decode(damaged))
          .as("mutation %s of %s", i, seed.at())
          .doesNotThrowAnyException();
      outcomes.merge(result[0].getClass().getSimpleName(), 1, Integer::sum);
    }

    System.out.println("DecodeFuzzTest." + log + ": " + outcomes);
    assertThat(outcomes).containsKeys("Decoded", "Malformed");
    assertThat(outcomes.get("Malformed")).isGreaterThan(log.mutations / 10);
  }
}
