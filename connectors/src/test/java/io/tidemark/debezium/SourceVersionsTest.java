package io.tidemark.debezium;

import static io.tidemark.debezium.Events.decoder;
import static io.tidemark.debezium.Events.envelope;
import static io.tidemark.debezium.Events.record;
import static io.tidemark.debezium.Events.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.PartitionLedger;
import io.tidemark.change.PartitionProgress;
import io.tidemark.change.Position;
import io.tidemark.change.SourcePosition;
import io.tidemark.debezium.DecodeResult.Decoded;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What orders the events of each source but PostgreSQL and MongoDB, and the traps in it. */
class SourceVersionsTest {
  private static final String MSSQL = "'connector':'sqlserver'";
  private static final String DB2 = "'connector':'db2'";
  private static final String ORACLE = "'connector':'oracle'";

  @ParameterizedTest
  @ValueSource(strings = {"mysql", "mariadb"})
  void binlogOrderIsFileNumberThenPosition(String connector) {
    rise(
        binlog(connector, "binlog.000009", 9_000, 7),
        binlog(connector, "binlog.000023", 4, 0), // pos starts over in each file
        binlog(connector, "binlog.000123", 4, 0),
        binlog(connector, "binlog.000123", 500, 0),
        binlog(connector, "binlog.999999", 4, 0),
        binlog(connector, "binlog.1000000", 4, 0)); // longer, and as text below all of them
  }

  @Test
  void nothingElseOfABinlogEventCounts() {
    String more = ",'gtid':'0-1-4099','server_id':1,'thread':4,'query':null,'sequence':null";
    assertThat(position(upsert(binlog("mariadb", "my.log.000002", 5, 1) + more, "")))
        .isEqualTo(new Position(2, 5, 0));
  }

  /**
   * MariaDB since 11.4, or where transactions are compressed: an update of many rows, then a delete
   * of one of them, all at the transaction's position.
   */
  @ParameterizedTest
  @ValueSource(strings = {"mysql", "mariadb"})
  void aRowNumberThatStartsOverWithinATransactionDoesNotCount(String connector) {
    PartitionLedger ledger = new PartitionLedger(PartitionProgress.startingAt(0));
    Decoded update = decoded("u", binlog(connector, "b.14", 2_062_578, 7), "");
    Decoded delete = decoded("u", binlog(connector, "b.14", 2_062_578, 0), "");

    assertThat(ledger.rank(delete.source(), 0, 1))
        .isGreaterThan(ledger.rank(update.source(), 0, 0));
  }

  @Test
  void compressedTransactionsAreOrderedByTotalOrder() {
    String compressed = binlog("mysql", "b.1", 77, 0);
    assertThat(position(upsert(compressed, "'total_order':2")))
        .isGreaterThan(position(upsert(compressed, "'total_order':1")));
    assertThat(position(upsert(binlog("mysql", "b.1", 77, 4), "'total_order':5")))
        .isEqualTo(new Position(1, 77, 5));
  }

  /**
   * As recorded from Debezium's MariaDB connector 3.5.0, started from an offset that was stored in
   * a snapshot: a row that lives in the middle of a transaction only, sent again.
   */
  @ParameterizedTest
  @ValueSource(strings = {"c", "u"})
  void aChangeThatClaimsToBeOfASnapshotDoesNotStandAboveTheDeleteAfterIt(String op) {
    PartitionLedger ledger = new PartitionLedger(PartitionProgress.startingAt(0));
    String first = binlog("mariadb", "binlog.000012", 77470, 0);
    String later = binlog("mariadb", "binlog.000013", 316925, 0) + ",'server_id':1";
    ledger.rank(decoded(op, first, "").source(), 1_000_000, 0);
    Decoded claims = decoded(op, later + ",'snapshot':'true'", "");
    Decoded delete = decoded("u", later, "");

    assertThat(claims.source()).isEqualTo(new SourcePosition.Stream(new Position(13, 316925, 0)));
    assertThat(ledger.rank(delete.source(), 1_000_000, 2))
        .isGreaterThan(ledger.rank(claims.source(), 1_000_000, 1));
  }

  /** A read-only incremental snapshot sends its rows before the change that carries its place. */
  @Test
  void aRowOfAChunkDoesNotStandAboveTheChangeThatFollowsIt() {
    String at = binlog("mysql", "b.1", 77, 3);
    Decoded chunk = decoded("r", at + ",'snapshot':'incremental'", "");
    assertThat(chunk.source()).isEqualTo(new SourcePosition.Incremental(new Position(1, 77, 0)));
    assertThat(chunk.source().position())
        .isLessThanOrEqualTo(position(upsert(at, "")))
        .isLessThan(position(upsert(at, "'total_order':4")));
  }

  @Test
  void snapshotsAreNamedByWhereTheyWereTaken() {
    assertThat(snapshot(binlog("mysql", "b.000007", 77, 0))).isEqualTo(new Position(7, 77, 0));
    assertThat(snapshot(MSSQL + ",'commit_lsn':'00000027:00000ac0:0002','change_lsn':null"))
        .isEqualTo(new Position(0x2700000ac0L, 0x0002L << 48, 0));
    assertThat(snapshot(ORACLE + ",'scn':'2122184','commit_scn':null"))
        .isEqualTo(new Position(2122184, 0, 0));
    assertThat(snapshot("'connector':'informix','commit_lsn':'42','change_lsn':null"))
        .isEqualTo(new Position(42, 0, 0));
  }

  @Test
  void sqlServerOrderIsCommitThenChangeThenSerialNumber() {
    rise(
        sqlServer("00000027:00000ac0:0002", "ffffffff:ffffffff:ffff", 2), // of the commit before
        sqlServer("00000027:00000ac0:0003", "00000027:00000758:0003", 1), // not by change alone
        sqlServer("00000027:00000ac0:0003", "00000027:00000758:0003", 2), // an update's two parts
        sqlServer("00000027:00000ac0:0003", "00000027:00000758:0004", 1),
        sqlServer("00000027:00000ac0:0003", "00000027:00000759:0000", 1),
        sqlServer("00000027:00000AC0:0003", "00000028:00000000:0000", 1),
        sqlServer("80000000:00000000:0000", "00000000:00000000:0000", 0),
        sqlServer("ffffffff:ffffffff:ffff", "ffffffff:ffffffff:ffff", (1L << 32) - 1));
  }

  /** 80, 80 and 32 bits fill the 192 of a position: none is lost. */
  @Test
  void everyBitOfSqlServersPositionCounts() {
    String zero = "00000000:00000000:0000";
    for (int digit = 0; digit < zero.length(); digit++) {
      if (zero.charAt(digit) == '0') {
        String one = zero.substring(0, digit) + '1' + zero.substring(digit + 1);
        rise(sqlServer(zero, one, 0), sqlServer(zero, one, 1));
        rise(sqlServer(zero, zero, (1L << 32) - 1), sqlServer(zero, one, 0));
        rise(sqlServer(zero, "ffffffff:ffffffff:ffff", (1L << 32) - 1), sqlServer(one, zero, 0));
      }
    }
  }

  @Test
  void db2OrderIsCommitThenChange() {
    String last = "0000ffff:ffffffff:0000ffffffffffff";
    rise(
        db2("00000000:00000001:0000000000000007", last),
        db2("00000000:00000001:0000000000000008", "00000000:00000000:0000000000000001"),
        db2("00000000:00000001:0000000000000008", "00000000:00000001:0000000000000000"),
        db2("00000000:00000001:0000ffffffffffff", last),
        db2("00000000:00000002:0000000000000000", "00000000:00000000:0000000000000000"),
        db2(last, last));
  }

  /** Two events of one change tie: their Kafka offsets decide. */
  @Test
  void db2AndInformixHaveNoSerialNumber() {
    String db2 =
        db2("00000000:00000001:0000000000000008", "00000000:00000000:0000000000000001")
            + ",'event_serial_no':5";
    assertThat(position(upsert(db2, "")).p3()).isEqualTo(1);
    assertThat(position(upsert(informix("8", "1") + ",'event_serial_no':5", "")))
        .isEqualTo(new Position(8, 1, 0));
  }

  @Test
  void informixOrderIsDecimal() {
    rise(
        informix("9", "30064771072"),
        informix("10", "9"),
        informix("10", "10"),
        informix("30073160860", "1"));
  }

  @Test
  void oracleOrderIsCommitThenPlaceInTheTransaction() {
    rise(
        oracle("999", "9", "1"), // as text above all others
        oracle("1000", "998", "2"), // changed before, committed after
        oracle("1000", "10", "3"),
        oracle("9223372036854775808", "1", "1"), // beyond 63 bits
        oracle("18446744073709551615", "1", "1"));
    // Older connectors have no txSeq.
    rise(ORACLE + ",'commit_scn':'7','scn':'5','ssn':0", ORACLE + ",'commit_scn':'7','scn':'6'");
    rise(ORACLE + ",'commit_scn':'7','scn':'6'", ORACLE + ",'commit_scn':'7','scn':'6','ssn':1");
  }

  /** Redo threads share one clock; at one tick only the Kafka offset tells two of them apart. */
  @Test
  void oraclesRedoThreadsAreOneOrder() {
    assertThat(position(upsert(oracle("1000", "998", "1") + ",'redo_thread':1", "")))
        .isEqualTo(position(upsert(oracle("1000", "7", "1") + ",'redo_thread':2", "")));
  }

  @Test
  void aChunkOfOracleStaysBelowTheTransactionThatItCameIn() {
    String chunk = ORACLE + ",'snapshot':'incremental','scn':'1500'";
    String next = oracle("1500", "1400", "1");
    assertThat(decoded("r", chunk, "").source().position()).isLessThan(position(upsert(next, "")));
    assertThat(decoded("r", chunk + ",'commit_scn':'1600'", "").source().position())
        .isEqualTo(new Position(1600, 0, 0));
  }

  @Test
  void vitessOrderIsEpochThenRankThenOrder() {
    List<String> rising =
        List.of(
            "'transaction_epoch':0,'transaction_rank':'999','total_order':9",
            "'transaction_epoch':0,'transaction_rank':'1000','total_order':1",
            "'transaction_epoch':0,'transaction_rank':'1000','total_order':2",
            "'transaction_epoch':1,'transaction_rank':'3','total_order':1"); // ranks started over
    for (int i = 1; i < rising.size(); i++) {
      assertThat(position(upsert("'connector':'vitess'", rising.get(i))))
          .isGreaterThan(position(upsert("'connector':'vitess'", rising.get(i - 1))));
    }
    assertThat(decoded("r", "'connector':'vitess','snapshot':'true'", rising.get(1)).source())
        .isEqualTo(new SourcePosition.Given(new Position(0, 1000, 1)));
  }

  @Test
  void aShardOfVitessThatIsBehindAnotherIsNoNewStart() {
    PartitionLedger ledger = new PartitionLedger(PartitionProgress.startingAt(0));
    String block = "'transaction_epoch':0,'transaction_rank':'%d','total_order':1";
    Decoded ahead = upsert("'connector':'vitess'", block.formatted(9_000));
    Decoded behind = upsert("'connector':'vitess'", block.formatted(20));

    ledger.rank(ahead.source(), 0, 0);
    assertThat(ledger.rank(behind.source(), 3_600_000_000L, 1).position())
        .isEqualTo(new Position(0, 20, 1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mysql;pos:4 | source.file is missing. Debezium's MySQL and MariaDB connectors",
        "mysql;file:b.1 | source.pos is missing. Debezium's MySQL and MariaDB connectors",
        "mysql;file:b.1,pos:-1 | source.pos: expected an integer of at least 0",
        "mysql;file:b,pos:1 | source.file: expected a binlog file such as binlog.000042",
        "mysql;file:b.,pos:1 | source.file: expected a binlog file such as binlog.000042",
        "mysql;file:b.1x,pos:1 | source.file: expected a binlog file such as binlog.000042",
        "mysql;file:b.1111111111111111111,pos:1 | source.file: expected a binlog file such as",
        "sqlserver;change_lsn:00000027:00000758:0003 | source.commit_lsn is missing. Debezium's SQL",
        "sqlserver;commit_lsn:00000027:00000758:0003 | source.change_lsn is missing. Debezium's SQL",
        "sqlserver;commit_lsn:0000027:00000758:0003 | source.commit_lsn: expected an LSN such as",
        "sqlserver;commit_lsn:00000027:00000758:00031 | source.commit_lsn: expected an LSN such as",
        "sqlserver;commit_lsn:00000027-00000758-0003 | source.commit_lsn: expected an LSN such as",
        "sqlserver;commit_lsn:NULL | source.commit_lsn: expected an LSN such as",
        "db2;change_lsn:00000000:00000000:0000000000000001 | source.commit_lsn is missing",
        "db2;commit_lsn:00000000:00000000:0000000000000001 | source.change_lsn is missing",
        "db2;commit_lsn:00000000:00000001:0001000000000000 | source.commit_lsn: expected an LSN whose"
            + " halves are below 2^48",
        "informix;commit_lsn:8 | source.change_lsn is missing. Debezium's Informix connector",
        "informix;change_lsn:8 | source.commit_lsn is missing. Debezium's Informix connector",
        "informix;commit_lsn:x | source.commit_lsn: expected decimal digits",
        "oracle;scn:8 | source.commit_scn is missing. Debezium's Oracle connector writes it with"
            + " LogMiner",
        "oracle;commit_scn:8 | source.scn is missing. Debezium's Oracle connector",
        "oracle;commit_scn:18446744073709551616,scn:8 | source.commit_scn: expected a number below"
            + " 2^64",
        "oracle;commit_scn:-8,scn:8 | source.commit_scn: expected decimal digits",
        "vitess;scn:8 | transaction.transaction_rank is missing. Set provide.transaction.metadata"
      })
  void aMissingOrMalformedPositionIsRefusedWithTheRemedy(String source, String problem) {
    String[] parts = source.split(";");
    StringBuilder json = new StringBuilder("'connector':'" + parts[0] + "'");
    for (String field : parts[1].split(",")) {
      String[] pair = field.split(":", 2);
      String value = pair[0].equals("pos") ? pair[1] : "'" + pair[1] + "'";
      json.append(",'").append(pair[0]).append("':").append(value);
    }
    assertThat(text(decode("c", json.toString(), ""))).startsWith(problem);
  }

  @Test
  void anOversizedSerialNumberIsRefused() {
    String lsn = "00000027:00000ac0:0003";
    assertThat(text(decode("c", sqlServer(lsn, lsn, 1L << 32), "")))
        .isEqualTo("source.event_serial_no: expected a number below 2^32, found a larger one");
  }

  /** Each is above the one before. */
  private static void rise(String... sources) {
    for (int i = 1; i < sources.length; i++) {
      assertThat(position(upsert(sources[i], "")))
          .as(sources[i])
          .isGreaterThan(position(upsert(sources[i - 1], "")));
    }
  }

  private static String binlog(String connector, String file, long pos, int row) {
    return "'connector':'%s','file':'%s','pos':%d,'row':%d".formatted(connector, file, pos, row);
  }

  private static String sqlServer(String commit, String change, long serial) {
    return MSSQL
        + ",'commit_lsn':'%s','change_lsn':'%s','event_serial_no':%d"
            .formatted(commit, change, serial);
  }

  private static String db2(String commit, String change) {
    return DB2 + ",'commit_lsn':'%s','change_lsn':'%s'".formatted(commit, change);
  }

  private static String informix(String commit, String change) {
    return "'connector':'informix','commit_lsn':'%s','change_lsn':'%s'".formatted(commit, change);
  }

  private static String oracle(String commit, String scn, String sequence) {
    return ORACLE
        + ",'commit_scn':'%s','scn':'%s','txSeq':%s,'ssn':0,'txId':'0a001b00'"
            .formatted(commit, scn, sequence);
  }

  private static Position snapshot(String source) {
    SourcePosition position = decoded("r", source + ",'snapshot':'true'", "").source();
    assertThat(position).isInstanceOf(SourcePosition.Snapshot.class);
    return position.position();
  }

  private static Position position(Decoded decoded) {
    return decoded.source().position();
  }

  private static Decoded upsert(String source, String transaction) {
    return decoded("u", source, transaction);
  }

  private static Decoded decoded(String op, String source, String transaction) {
    DecodeResult result = decode(op, source, transaction);
    assertThat(result).isInstanceOf(Decoded.class);
    return (Decoded) result;
  }

  private static DecodeResult decode(String op, String source, String transaction) {
    String value = envelope(op, "{\"id\":1}", "{" + source.replace('\'', '"') + "}");
    String block = "\"transaction\":{" + transaction.replace('\'', '"') + "},\"op\"";
    return decoder(DecoderSettings.DEFAULTS, "id*: long")
        .decode(record("{\"id\":1}", value.replace("\"op\"", block)));
  }
}
