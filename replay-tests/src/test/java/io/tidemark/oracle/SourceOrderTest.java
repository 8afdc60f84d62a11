package io.tidemark.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.change.Kind;
import io.tidemark.change.PartitionLedger;
import io.tidemark.change.PartitionProgress;
import io.tidemark.debezium.format.JsonFormat;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import io.tidemark.debezium.version.EventFacts;
import io.tidemark.debezium.version.SnapshotFlag;
import io.tidemark.debezium.version.SourceBlock;
import io.tidemark.debezium.version.TransactionBlock;
import io.tidemark.debezium.version.VersionReader;
import io.tidemark.debezium.version.VersionScheme;
import io.tidemark.replay.Seed;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Both learnt from the same facts what orders each connector's events: they give every event of a
 * random stream the same version.
 */
class SourceOrderTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int EVENTS = 2_000;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgresql",
        "mysql",
        "mariadb",
        "sqlserver",
        "oracle",
        "db2",
        "informix",
        "vitess",
        "mongodb"
      })
  void oracleAndReadersGiveTheSameVersions(String connector) throws Exception {
    Random random = Seed.random("SourceOrderTest." + connector, 1);
    Positions positions = new Positions("auto", 0, Map.of());
    VersionReader reader = VersionReader.of(new VersionScheme.Auto());
    PartitionLedger ledger = new PartitionLedger(PartitionProgress.startingAt(0));
    for (int offset = 0; offset < EVENTS; offset++) {
      Event event = event(connector, random);
      RawEvent raw = new RawEvent("t", 0, offset, null, null, Map.of());

      OracleVersion expected = positions.next(raw, JSON.readTree(event.payload()));

      String version = ledger.rank(reader.read(event.facts()), 0, offset).toText();
      assertThat(OracleVersion.parse(version)).as(event.payload()).isEqualTo(expected);
    }
  }

  /**
   * One event.
   *
   * @param incremental whether an incremental snapshot read it, a whole one if not, where {@code
   *     op} is {@code r}
   */
  private record Event(String op, boolean incremental, String source, String transaction) {

    String payload() {
      return "{\"op\":\""
          + op
          + "\",\"source\":"
          + source
          + ",\"transaction\":"
          + transaction
          + "}";
    }

    EventFacts facts() throws Problem, IOException {
      SnapshotFlag read =
          !op.equals("r")
              ? SnapshotFlag.NONE
              : incremental ? SnapshotFlag.INCREMENTAL : SnapshotFlag.WHOLE;
      SourceBlock block = new SourceBlock(new VersionScheme.Auto());
      TransactionBlock order = new TransactionBlock();
      byte[] bytes = source.getBytes(StandardCharsets.UTF_8);
      try (JsonParser in = JsonInput.open(bytes, 0, bytes.length)) {
        in.nextToken();
        block.read(in);
      }
      byte[] more = transaction.getBytes(StandardCharsets.UTF_8);
      try (JsonParser in = JsonInput.open(more, 0, more.length)) {
        in.nextToken();
        order.read(in);
      }
      return new EventFacts(
          block, order, Kind.UPSERT, read, new JsonFormat().values().read(bytes, Map.of()));
    }
  }

  private static Event event(String connector, Random random) {
    boolean row = random.nextInt(4) == 0;
    boolean incremental = row && random.nextBoolean();
    String source = source(connector, row, incremental, random);
    String snapshot = !row ? "false" : incremental ? "incremental" : "first";
    // A row of a snapshot is no part of a transaction.
    String order = !row && random.nextBoolean() ? "\"total_order\":" + (1 + random.nextInt(3)) : "";
    String transaction =
        connector.equals("vitess")
            ? "{\"transaction_epoch\":%d,\"transaction_rank\":\"%s\",\"total_order\":%d}"
                .formatted(random.nextInt(2), wide(random), random.nextInt(3))
            : "{" + order + "}";
    return new Event(
        row ? "r" : "u",
        incremental,
        "{\"connector\":\"%s\",\"snapshot\":\"%s\",\"ts_us\":0%s}"
            .formatted(connector, snapshot, source),
        transaction);
  }

  private static String source(String connector, boolean row, boolean incremental, Random random) {
    int some = random.nextInt(50);
    return switch (connector) {
      case "postgresql" ->
          incremental
              ? ",\"lsn\":null,\"sequence\":\"[\\\"%d\\\",\\\"%d\\\"]\"".formatted(some, some + 1)
              : ",\"txId\":%d,\"lsn\":%d,\"sequence\":\"[%s,\\\"%d\\\"]\""
                  .formatted(
                      some % 3, some, row || some < 9 ? "null" : "\\\"" + some + "\\\"", some);
      case "mysql", "mariadb" ->
          ",\"file\":\"b.%06d\",\"pos\":%d,\"row\":%d"
              .formatted(1 + random.nextInt(3), some, row ? 0 : random.nextInt(3));
      case "sqlserver" ->
          row && !incremental
              ? ",\"commit_lsn\":\"%s\",\"change_lsn\":null".formatted(lsn(4, random))
              : ",\"commit_lsn\":\"%s\",\"change_lsn\":\"%s\",\"event_serial_no\":%d"
                  .formatted(lsn(4, random), lsn(4, random), random.nextInt(3));
      case "db2" ->
          ",\"commit_lsn\":\"%s\",\"change_lsn\":%s"
              .formatted(db2(random), row && !incremental ? "null" : '"' + db2(random) + '"');
      case "informix" ->
          ",\"commit_lsn\":\"%d\",\"change_lsn\":%s"
              .formatted(some, row && !incremental ? "null" : '"' + wide(random) + '"');
      case "oracle" ->
          ",\"scn\":\"%s\",\"commit_scn\":%s,\"txSeq\":%s,\"ssn\":%d"
              .formatted(
                  wide(random),
                  row && random.nextBoolean() ? "null" : '"' + wide(random) + '"',
                  random.nextBoolean() ? "null" : String.valueOf(some),
                  random.nextInt(2));
      default -> ",\"ord\":" + some;
    };
  }

  private static String lsn(int last, Random random) {
    return hex(8, random) + ":" + hex(8, random) + ":" + hex(last, random);
  }

  private static String db2(Random random) {
    return "0000" + hex(4, random) + ":" + hex(8, random) + ":0000" + hex(12, random);
  }

  /** Often near the ends, so that every bit is tried and positions are met again. */
  private static String hex(int digits, Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> "0".repeat(digits);
      case 1 -> "f".repeat(digits);
      default -> String.format("%0" + digits + "x", random.nextInt(1 << Math.min(30, 4 * digits)));
    };
  }

  /** A number of up to 64 bits without sign. */
  private static String wide(Random random) {
    return new BigInteger(1 + random.nextInt(64), random).toString();
  }
}
