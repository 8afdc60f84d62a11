package io.tidemark.debezium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.tidemark.Seeds;
import io.tidemark.corpus.Corpus;
import io.tidemark.corpus.TextRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Damaged messages end as outcomes, whatever the damage. */
class DecodeFuzzTest {
  private static final int MUTATIONS = 50_000;
  private static final String[] TOKENS = {
    "null",
    "true",
    "-1",
    "1e400",
    "1e-99999",
    "99999999999999999999",
    "{",
    "}",
    "[",
    "]",
    "\"",
    ",",
    ":",
    "\\u0000",
    "\\ud800",
    "{\"a\":1}",
    "[[[]]]",
    "\"op\":\"d\",",
    "\"after\":{},",
    "NaN"
  };

  @Test
  void everyDamagedMessageHasAnOutcome() {
    Random random = Seeds.random("DecodeFuzzTest", 31);
    // A damaged schema is read as a whole, which takes long: one message in six has one.
    List<RawRecord> seeds = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      seeds.addAll(Corpus.load("pg-types").of("src.ty.all_types"));
    }
    seeds.addAll(Corpus.load("pg-types-schemas").of("src.ty.all_types"));
    EnvelopeDecoder decoder = decoder();
    Map<String, Integer> outcomes = new HashMap<>();

    for (int i = 0; i < MUTATIONS; i++) {
      RawRecord seed = seeds.get(random.nextInt(seeds.size()));
      boolean inKey = random.nextInt(5) == 0;
      RawRecord damaged =
          new RawRecord(
              seed.at(),
              0,
              inKey ? damaged(seed.key(), random) : seed.key(),
              inKey ? seed.value() : damaged(seed.value(), random),
              Map.of());
      DecodeResult[] result = new DecodeResult[1];
      assertThatCode(() -> result[0] = decoder.decode(damaged))
          .as("mutation %s of %s", i, seed.at())
          .doesNotThrowAnyException();
      outcomes.merge(result[0].getClass().getSimpleName(), 1, Integer::sum);
    }

    System.out.println("DecodeFuzzTest: " + outcomes);
    assertThat(outcomes).containsKeys("Decoded", "Malformed", "Ignored");
    assertThat(outcomes.get("Malformed")).isGreaterThan(MUTATIONS / 4);
  }

  private static EnvelopeDecoder decoder() {
    ShapeResult.Discovered found =
        (ShapeResult.Discovered)
            new ShapeReader(List.of(), Map.of())
                .read(Corpus.load("pg-types-schemas").of("src.ty.all_types").get(0));
    return new EnvelopeDecoder(
        found.shape(),
        DecoderSettings.DEFAULTS
            .withEncodings(found.encodings())
            .withOnUnrepresentable(OnUnrepresentable.NULL),
        new TextRow(found.shape()));
  }

  private static byte[] damaged(byte[] bytes, Random random) {
    byte[] result = bytes == null ? new byte[0] : bytes.clone();
    for (int n = random.nextInt(3); n >= 0 && result.length > 0; n--) {
      int at = at(result, random);
      result =
          switch (random.nextInt(6)) {
            case 0 -> Arrays.copyOf(result, at);
            case 1 -> splice(result, at, Math.min(result.length, at + 1 + random.nextInt(30)), "");
            case 2 -> splice(result, at, at, TOKENS[random.nextInt(TOKENS.length)]);
            case 3 -> splice(result, at, at + 1, TOKENS[random.nextInt(TOKENS.length)]);
            case 4 -> {
              int end = Math.min(result.length, at + random.nextInt(60));
              yield splice(
                  result,
                  at,
                  at,
                  new String(result, at, end - at, java.nio.charset.StandardCharsets.ISO_8859_1));
            }
            default -> {
              result[at] = (byte) random.nextInt(256);
              yield result;
            }
          };
    }
    return result;
  }

  /** Half of the time near the end, where the payload is if there is a schema. */
  private static int at(byte[] bytes, Random random) {
    int window = random.nextBoolean() ? bytes.length : Math.min(bytes.length, 2500);
    return bytes.length - 1 - random.nextInt(window);
  }

  private static byte[] splice(byte[] bytes, int from, int to, String text) {
    byte[] inserted = text.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    byte[] result = new byte[from + inserted.length + bytes.length - to];
    System.arraycopy(bytes, 0, result, 0, from);
    System.arraycopy(inserted, 0, result, from, inserted.length);
    System.arraycopy(bytes, to, result, from + inserted.length, bytes.length - to);
    return result;
  }
}
