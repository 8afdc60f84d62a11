package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.ThreadMXBean;
import io.tidemark.debezium.DecodeResult;
import io.tidemark.debezium.RawRecord;
import io.tidemark.flink.Decoder;
import io.tidemark.flink.row.BinaryRowSplice;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the decoder lets pass, the job's own row holds: recorded messages with other values in their
 * rows, well formed, so that many come as far as that. (Bytes are damaged in {@code
 * DecodeFuzzTest}.)
 */
class DamagedRowTest {
  private static final int MUTATIONS = 400;

  /** Longer ones, of values that PostgreSQL stores apart, take long and show no more. */
  private static final int MAX_SEED_BYTES = 20_000;

  /** As in {@code DecodeFuzzTest}. */
  private static final long FIXED_BYTES = 4 << 20;

  private static final long BYTES_PER_BYTE = 64;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "0",
          "-1",
          "2147483648",
          "9223372036854775807",
          "99999999999999999999",
          "1e400",
          "-0.1",
          "\"\"",
          "\"\\u0000\\ud83d\\ude00\"",
          "\"NaN\"",
          "\"AQ==\"",
          "\"-12.50\"",
          "\"1E+99999\"",
          "\"2024-02-29T11:14:15.123456Z\"",
          "\"123e4567-e89b-12d3-a456-426614174000\"",
          "[]",
          "{}",
          "{\"a\":\"b\",\"c\":null}",
          "{\"scale\":-99999,\"value\":\"AQ==\"}",
          "{\"scale\":3,\"value\":\"AQIDBAUGBwgJCgsM\"}",
          "{\"x\":1.5,\"y\":\"NaN\",\"wkb\":\"AQ==\",\"srid\":null}");

  @ParameterizedTest
  @EnumSource(CorpusTable.class)
  @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void everyMessageIsARowOrARefusal(CorpusTable recorded) throws IOException {
    Random random = Seed.random("DamagedRowTest." + recorded, 33);
    Decoder decoder = CorpusColumns.decoders(recorded).open();
    BinaryRowSplice copies = new BinaryRowSplice(CorpusColumns.shape(recorded));
    List<RawRecord> seeds =
        recorded.load().events().stream()
            .filter(event -> event.value() != null && event.value().length < MAX_SEED_BYTES)
            .map(LogRecords::record)
            .toList();
    int[] rows = new int[1];
    seeds.forEach(decoder::decode); // loads classes, and makes tables of names
    for (int i = 0; i < MUTATIONS; i++) {
      RawRecord seed = seeds.get(random.nextInt(seeds.size()));
      RawRecord damaged = damaged(seed, random);
      try {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        DecodeResult result = decoder.decode(damaged);
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;

        assertThat(allocated).isLessThan(FIXED_BYTES + BYTES_PER_BYTE * damaged.value().length);
        if (result instanceof DecodeResult.Decoded decoded) {
          rows[0]++;
          assertThat(copies.splice(decoded.row(), Map.of())).isEqualTo(decoded.row());
        }
      } catch (Throwable thrown) {
        throw new AssertionError("mutation " + i + " of " + seed.at(), thrown);
      }
    }
    System.out.println("DamagedRowTest." + recorded + ": " + rows[0] + " rows");
    assertThat(rows[0]).isBetween(1, MUTATIONS - 1);
  }

  /** One to three values of the row are others. */
  private static RawRecord damaged(RawRecord seed, Random random) throws IOException {
    ObjectNode message = (ObjectNode) JSON.readTree(seed.value());
    JsonNode payload = message.has("payload") ? message.get("payload") : message;
    for (String part : List.of("after", "before")) {
      if (payload.get(part) instanceof ObjectNode row && !row.isEmpty()) {
        List<String> names = new ArrayList<>();
        row.fieldNames().forEachRemaining(names::add);
        for (int n = random.nextInt(3); n >= 0; n--) {
          String name = names.get(random.nextInt(names.size()));
          row.set(name, other(row, row.get(name), names, random));
        }
      }
    }
    return new RawRecord(
        seed.at(),
        seed.timestampMillis(),
        seed.key(),
        JSON.writeValueAsBytes(message),
        seed.headers());
  }

  private static JsonNode other(ObjectNode row, JsonNode value, List<String> names, Random random)
      throws IOException {
    return switch (random.nextInt(5)) {
      case 0 -> row.get(names.get(random.nextInt(names.size()))).deepCopy();
      case 1 -> {
        ArrayNode list = JSON.createArrayNode();
        JsonNode element = value.isArray() && !value.isEmpty() ? value.get(0) : value;
        for (int n = random.nextInt(300); n > 0; n--) {
          list.add(n % 7 == 0 ? JSON.nullNode() : element);
        }
        yield list;
      }
      case 2 ->
          value.isTextual()
              ? JSON.getNodeFactory().textNode(value.asText().repeat(random.nextInt(50)))
              : value.isIntegralNumber()
                  ? JSON.getNodeFactory().numberNode(random.nextLong() >> random.nextInt(64))
                  : JSON.nullNode();
      default -> JSON.readTree(VALUES.get(random.nextInt(VALUES.size())));
    };
  }
}
