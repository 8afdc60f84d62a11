package io.tidemark.bench;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The changes of {@code shop.sales}, as Debezium's PostgreSQL connector writes them with {@code
 * REPLICA IDENTITY FULL} and {@code decimal.handling.mode=string}: 20 % inserts, 75 % updates, 5 %
 * deletes, uniform over the keys, in transactions of one to four changes.
 *
 * <p>Equal seeds give equal logs, and a shorter log is the beginning of a longer one.
 */
final class SalesLog {

  /**
   * One change.
   *
   * @param tombstone whether a record with the same key and no value follows, as after a delete
   */
  record Change(byte[] key, byte[] value, boolean tombstone) {}

  private static final long FIRST_MILLIS = 1_767_225_600_000L; // 2026-01-01
  private static final long FIRST_LSN = 24_000_000;

  private final Random random;
  private final SalesRow rows;
  private final KeyPool keys;
  private final int[] revisions;
  private final String keyPrefix;
  private final String valuePrefix;
  private final String suffix;
  private final StringBuilder out = new StringBuilder(8_192);

  private long lsn = FIRST_LSN;
  private long lastCommit = FIRST_LSN;
  private long transaction = 700;
  private long millis = FIRST_MILLIS;
  private int leftInTransaction;

  SalesLog(long seed, int keys, boolean schemas) {
    this.random = new Random(seed);
    this.rows = new SalesRow(seed);
    this.keys = new KeyPool(keys);
    this.revisions = new int[keys];
    this.keyPrefix = schemas ? "{\"schema\":" + EnvelopeSchema.KEY + ",\"payload\":" : "";
    this.valuePrefix = schemas ? "{\"schema\":" + EnvelopeSchema.VALUE + ",\"payload\":" : "";
    this.suffix = schemas ? "}" : "";
  }

  /** The next change; there is always one. */
  Change next() {
    advance();
    int dice = random.nextInt(100);
    if (keys.live() == 0 || (dice < 20 && keys.free() > 0)) {
      return change('c', keys.take(random));
    }
    return dice < 95 ? change('u', keys.any(random)) : change('d', keys.giveBack(random));
  }

  /** The next change, an insert of a key that is free. */
  Change insert() {
    advance();
    return change('c', keys.take(random));
  }

  /** The next change, an update of any row. */
  Change update() {
    advance();
    return change('u', keys.any(random));
  }

  /** The next change, a delete of any row. */
  Change delete() {
    advance();
    return change('d', keys.giveBack(random));
  }

  /** How many rows there are after the changes so far. */
  int rows() {
    return keys.live();
  }

  private void advance() {
    if (leftInTransaction == 0) {
      leftInTransaction = 1 + random.nextInt(4);
      lastCommit = lsn;
      transaction++;
      lsn += 64;
      millis += random.nextInt(3);
    }
    leftInTransaction--;
    lsn += 200 + random.nextInt(400);
  }

  private Change change(char op, int index) {
    long id = index + 1L;
    int before = revisions[index];
    int after = ++revisions[index];
    byte[] key = (keyPrefix + "{\"id\":" + id + "}" + suffix).getBytes(StandardCharsets.UTF_8);
    out.setLength(0);
    out.append(valuePrefix);
    row(out.append("{\"before\":"), op == 'c' ? null : before, id);
    row(out.append(",\"after\":"), op == 'd' ? null : after, id);
    source(out.append(",\"source\":"));
    out.append(",\"transaction\":null,\"op\":\"").append(op);
    times(out.append("\",\"ts_ms\":"), millis + 40);
    out.append('}').append(suffix);
    byte[] value = out.toString().getBytes(StandardCharsets.UTF_8);
    return new Change(key, value, op == 'd');
  }

  private void row(StringBuilder to, @Nullable Integer revision, long id) {
    if (revision == null) {
      to.append("null");
    } else {
      rows.append(to, id, revision);
    }
  }

  private void source(StringBuilder to) {
    to.append("{\"version\":\"3.6.1.Final\",\"connector\":\"postgresql\",\"name\":\"bench\"");
    to.append(",\"ts_ms\":").append(millis);
    to.append(",\"snapshot\":\"false\",\"db\":\"shop\",\"sequence\":\"[\\\"").append(lastCommit);
    to.append("\\\",\\\"").append(lsn).append("\\\"]\"");
    to.append(",\"ts_us\":").append(millis).append("000");
    to.append(",\"ts_ns\":").append(millis).append("000000");
    to.append(",\"schema\":\"shop\",\"table\":\"sales\",\"txId\":").append(transaction);
    to.append(",\"lsn\":").append(lsn);
    to.append(",\"xmin\":null,\"origin\":null,\"origin_lsn\":null}");
  }

  private static void times(StringBuilder to, long millis) {
    to.append(millis).append(",\"ts_us\":").append(millis).append("137,\"ts_ns\":");
    to.append(millis).append("137952");
  }
}
