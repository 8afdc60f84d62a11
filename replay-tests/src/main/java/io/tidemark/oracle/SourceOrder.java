package io.tidemark.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * The three numbers that each connector's events are ordered by, unsigned. Where they are wider
 * than three times 64 bits they are one number of 192 bits, cut in three.
 */
final class SourceOrder {

  private static final BigInteger MASK = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

  private SourceOrder() {}

  /**
   * The position that an event carries.
   *
   * @param incremental whether it is a row of an incremental snapshot
   * @throws IllegalArgumentException if it carries none
   */
  static long[] of(RawEvent event, JsonNode payload, boolean incremental) {
    JsonNode source = payload.path("source");
    boolean snapshot = payload.path("op").asText().equals("r") && !incremental;
    JsonNode transaction = payload.path("transaction");
    long order = transaction.path("total_order").asLong(0);
    return switch (source.path("connector").asText()) {
      case "postgresql" -> postgres(event, source, order, incremental);
      case "mysql", "mariadb" -> {
        String file = source.path("file").asText();
        yield new long[] {
          Long.parseLong(file.substring(file.lastIndexOf('.') + 1)),
          required(event, source.path("pos")),
          snapshot ? 0 : order // its row starts over within a transaction
        };
      }
      case "sqlserver" -> {
        BigInteger commit = hex(event, source.path("commit_lsn"));
        BigInteger change =
            source.path("change_lsn").isNull() && (snapshot || incremental)
                ? BigInteger.ZERO
                : hex(event, source.path("change_lsn"));
        BigInteger serial = BigInteger.valueOf(source.path("event_serial_no").asLong(0));
        yield cut(commit.shiftLeft(112).add(change.shiftLeft(32)).add(serial));
      }
      case "db2" -> {
        BigInteger commit = narrow(hex(event, source.path("commit_lsn")));
        BigInteger change =
            source.path("change_lsn").isNull() && (snapshot || incremental)
                ? BigInteger.ZERO
                : narrow(hex(event, source.path("change_lsn")));
        yield cut(commit.shiftLeft(96).add(change));
      }
      case "informix" ->
          new long[] {
            required(event, source.path("commit_lsn")),
            snapshot ? 0 : orZero(number(source.path("change_lsn"))),
            0
          };
      case "oracle" -> oracle(event, source, snapshot, incremental);
      case "vitess" ->
          new long[] {
            required(event, transaction.path("transaction_epoch")),
            required(event, transaction.path("transaction_rank")),
            order
          };
      default -> throw new IllegalArgumentException(event.place() + " is of an unknown connector");
    };
  }

  static @Nullable Long number(JsonNode node) {
    if (node.isIntegralNumber()) {
      return node.longValue();
    }
    return node.isTextual() && node.asText().matches("[0-9]+")
        ? Long.valueOf(Long.parseUnsignedLong(node.asText()))
        : null;
  }

  private static long[] postgres(RawEvent event, JsonNode source, long order, boolean incremental) {
    @Nullable Long previousCommit = null;
    @Nullable Long own = number(source.path("lsn"));
    if (source.path("sequence").isTextual()) {
      JsonNode sequence = Positions.tree(source.path("sequence").asText());
      previousCommit = number(sequence.path(0));
      if (own == null) {
        own = number(sequence.path(1));
      }
    }
    if (number(source.path("commit_lsn")) != null) {
      previousCommit = number(source.path("commit_lsn"));
    }
    if (own == null) {
      throw new IllegalArgumentException(event.place() + " has no position");
    }
    long commit = previousCommit == null ? own : previousCommit;
    // A transaction that was open for long may still bring lower positions than the stream's own.
    return incremental ? new long[] {commit, 0, 0} : new long[] {commit, own, order};
  }

  private static long[] oracle(
      RawEvent event, JsonNode source, boolean snapshot, boolean incremental) {
    if (snapshot) {
      return new long[] {required(event, source.path("scn")), 0, 0};
    }
    @Nullable Long commit = number(source.path("commit_scn"));
    @Nullable Long place = number(source.path("txSeq"));
    if (incremental) {
      long at = commit == null ? required(event, source.path("scn")) : commit;
      return new long[] {at, orZero(place), 0};
    }
    return new long[] {
      required(event, source.path("commit_scn")),
      place == null ? required(event, source.path("scn")) : place,
      orZero(number(source.path("ssn")))
    };
  }

  private static long orZero(@Nullable Long number) {
    return number == null ? 0 : number;
  }

  private static long required(RawEvent event, JsonNode node) {
    @Nullable Long number = number(node);
    if (number == null) {
      throw new IllegalArgumentException(event.place() + " has no position");
    }
    return number;
  }

  private static BigInteger hex(RawEvent event, JsonNode node) {
    if (!node.isTextual()) {
      throw new IllegalArgumentException(event.place() + " has no position");
    }
    return new BigInteger(node.asText().replace(":", ""), 16);
  }

  /** Of 128 bits the lower 48 of each half. */
  private static BigInteger narrow(BigInteger wide) {
    BigInteger low = wide.and(MASK);
    return wide.shiftRight(64).shiftLeft(48).add(low);
  }

  private static long[] cut(BigInteger wide) {
    return new long[] {
      wide.shiftRight(128).longValue(), wide.shiftRight(64).longValue(), wide.longValue()
    };
  }
}
