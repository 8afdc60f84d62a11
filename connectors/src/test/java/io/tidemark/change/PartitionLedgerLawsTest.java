package io.tidemark.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PartitionLedgerLawsTest {
  private static final int LOGS = 4_000; // of about 30 records, each read several times
  private static final long MINUTE = 60_000_000L;

  /** A record as the ledger sees it. */
  private record Read(SourcePosition source, long timeMicros) {}

  @Test
  void whateverIsReadAgainGetsTheSameVersions() {
    Random random = Seeds.random("PartitionLedgerLawsTest.replay", 71);
    for (int i = 0; i < LOGS; i++) {
      List<Read> log = log(random);
      List<String> first = read(new PartitionLedger(startingAt(0)), log, 0, log.size());

      int stop = random.nextInt(log.size() + 1);
      PartitionLedger stopped = new PartitionLedger(startingAt(0));
      read(stopped, log, 0, stop);
      int from = random.nextInt(stop + 1);
      PartitionLedger again = new PartitionLedger(stopped.progress());

      assertThat(read(again, log, from, log.size())).isEqualTo(first.subList(from, log.size()));

      // The whole log once more behind its end, by one that knows it all.
      int copyFrom = random.nextInt(log.size());
      PartitionLedger knowing = new PartitionLedger(again.progress());
      assertThat(positions(read(knowing, log, copyFrom, log.size())))
          .isEqualTo(positions(first.subList(copyFrom, log.size())));
      assertThat(ranks(knowing)).isEqualTo(ranks(again));
    }
  }

  @Test
  void twoReadersOfOnePartitionKnowTogetherWhatOneWouldKnow() {
    Random random = Seeds.random("PartitionLedgerLawsTest.merge", 72);
    for (int i = 0; i < LOGS; i++) {
      List<Read> log = log(random);
      PartitionLedger all = new PartitionLedger(startingAt(0));
      read(all, log, 0, log.size());
      int stop = random.nextInt(log.size() + 1);
      PartitionLedger half = new PartitionLedger(startingAt(0));
      read(half, log, 0, stop);

      assertThat(half.progress().merge(all.progress())).isEqualTo(all.progress());
      assertThat(all.progress().merge(half.progress())).isEqualTo(all.progress());
    }
  }

  @Test
  void aSnapshotRanksAboveWhatWasStreamedBeforeIt() {
    PartitionLedger ledger = new PartitionLedger(startingAt(0));
    Position snapshot = new Position(500, 500, 0);
    assertThat(ledger.rank(row(snapshot), 0, 0))
        .isEqualTo(new CommitVersion(0, Position.ZERO, CommitVersion.SNAPSHOT, 0));

    // It was open at the snapshot and committed later: a lower position that must win.
    CommitVersion streamed = ledger.rank(stream(10), 0, 1);
    assertThat(streamed).isGreaterThan(ledger.rank(row(snapshot), 0, 2));

    Position second = new Position(800, 800, 0);
    assertThat(ledger.rank(row(second), 0, 3)).isGreaterThan(streamed);
    assertThat(ledger.rank(stream(11), 0, 4)).isGreaterThan(ledger.rank(row(second), 0, 5));
  }

  /** Nothing else was streamed between two snapshots over which both were open. */
  @Test
  void aTransactionThatWasOpenAtTwoSnapshotsStandsAboveTheSecond() {
    PartitionLedger ledger = new PartitionLedger(startingAt(0));
    ledger.rank(stream(100), 0, 0);
    ledger.rank(row(new Position(200, 200, 0)), 1, 1);
    CommitVersion first = ledger.rank(open(90, 1), 2, 2);
    CommitVersion row = ledger.rank(row(new Position(300, 300, 0)), 3, 3);
    CommitVersion second = ledger.rank(open(50, 2), 4, 4);

    assertThat(List.of(first, row, second, ledger.rank(stream(101), 5, 5))).isSorted();
    assertThat(new PartitionLedger(ledger.progress()).rank(open(50, 2), 4, 4)).isEqualTo(second);
  }

  private static SourcePosition open(long lsn, long transaction) {
    return new SourcePosition.Opening(new Position(lsn, lsn, 0), transaction);
  }

  /** Snapshot names and positions of the new start are those of the old one, all over again. */
  @Test
  void whatIsReadAgainAcrossEpochsGetsTheSameVersionsHoweverItIsCut() {
    Random random = Seeds.random("PartitionLedgerLawsTest.epochs", 73);
    for (int i = 0; i < LOGS; i++) {
      List<Read> log = log(random);
      int first = log.size();
      log.addAll(log(random));
      int second = log.size();
      log.addAll(log(random));
      List<String> alone = read(new PartitionLedger(startingAt(0)), log, 0, first);

      // One reader of it all, told of each epoch when it has read what is below.
      PartitionProgress progress = startingAt(0).beginning(1, first);
      PartitionLedger ledger = new PartitionLedger(progress);
      List<String> once = read(ledger, log, 0, second);
      progress = ledger.progress().beginning(3, second);
      ledger = new PartitionLedger(progress);
      once.addAll(read(ledger, log, second, log.size()));
      assertThat(once.subList(0, first)).isEqualTo(alone);
      assertThat(once.subList(first, log.size()))
          .allMatch(version -> version.equals("refused") || version.startsWith("0000000"))
          .allMatch(version -> version.equals("refused") || version.compareTo("00000001") > 0);

      // Readers that stop anywhere, go on from anywhere below, and know what the one before knew.
      PartitionProgress known = startingAt(0);
      int reached = 0;
      while (reached < log.size()) {
        if (reached >= first && known.last().number() == 0) {
          known = known.beginning(1, first);
        }
        if (reached >= second && known.last().number() == 1) {
          known = known.beginning(3, second);
        }
        int bound = reached < first ? first : reached < second ? second : log.size();
        int from = random.nextInt(reached + 1);
        int to = reached + 1 + random.nextInt(bound - reached);
        PartitionLedger part = new PartitionLedger(known);
        assertThat(read(part, log, from, to)).isEqualTo(once.subList(from, to));
        known = known.merge(part.progress());
        reached = Math.max(reached, to);
      }
      assertThat(known.epochs()).isEqualTo(ledger.progress().epochs());
    }
  }

  @Test
  void anEpochThatNothingWasReadOfIsTakenBackByAnEarlierOne() {
    PartitionProgress read = new PartitionProgress(50, 0, Position.ZERO, 0, Map.of());
    PartitionProgress wrong = read.beginning(1, 90);
    PartitionProgress right = wrong.beginning(2, 60);

    assertThat(right.epochs()).extracting(Epoch::number).containsExactly(0, 2);
    assertThat(wrong.merge(right)).isEqualTo(right);
    assertThat(right.merge(wrong)).isEqualTo(right);
    assertThatThrownBy(() -> right.beginning(3, 49)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> right.beginning(2, 90)).isInstanceOf(IllegalArgumentException.class);
  }

  /**
   * Corpus pg-incremental-snapshot: their time is the connector's clock, not the source's commit.
   */
  @Test
  void copiesOfIncrementalSnapshotRowsAreNoNewStart() {
    PartitionLedger ledger = new PartitionLedger(startingAt(0));
    SourcePosition row = new SourcePosition.Incremental(new Position(101, 0, 0));
    ledger.rank(stream(100), 0, 0);
    CommitVersion version = ledger.rank(row, MINUTE, 1); // read a minute after the last commit
    ledger.rank(stream(102), 1, 2);

    assertThat(ledger.rank(row, MINUTE, 1)).isEqualTo(version);
    assertThat(ledger.rank(row, MINUTE, 3)).isEqualTo(version.atOffset(3));
  }

  @Test
  void theClockOfAnIncrementalSnapshotHidesNoNewStart() {
    PartitionLedger ledger = new PartitionLedger(startingAt(0));
    ledger.rank(stream(100), 0, 0);
    ledger.rank(new SourcePosition.Incremental(new Position(101, 0, 0)), 2 * MINUTE, 1);

    assertThatThrownBy(() -> ledger.rank(stream(50), MINUTE, 2)).isInstanceOf(RankRefused.class);
  }

  @Test
  void aWholeSnapshotRanksAboveTheIncrementalOneBeforeIt() {
    PartitionLedger ledger = new PartitionLedger(startingAt(0));
    ledger.rank(stream(100), 0, 0);
    CommitVersion row =
        ledger.rank(new SourcePosition.Incremental(new Position(200, 0, 0)), MINUTE, 1);

    assertThat(ledger.rank(row(new Position(150, 150, 0)), MINUTE, 2)).isGreaterThan(row);
  }

  @Test
  void anUnknownSnapshotBelowTheOriginIsRefused() {
    PartitionLedger ledger =
        new PartitionLedger(new PartitionProgress(20, 10, Position.ZERO, Long.MIN_VALUE, Map.of()));

    assertThat(ledger.rank(row(new Position(1, 1, 0)), 0, 20).phase()).isEqualTo(1);
    assertThatThrownBy(() -> ledger.rank(row(new Position(2, 2, 0)), 0, 9))
        .isInstanceOf(RankRefused.class)
        .hasMessageContaining(
            "lies below offset 20, up to which this table has been read from offset 10");
  }

  @Test
  void anUnknownSnapshotBelowTheOriginStaysRefusedWhenAReplayFromThereIsInterrupted() {
    PartitionProgress recorded =
        new PartitionProgress(100, 50, new Position(900, 900, 0), Long.MIN_VALUE, Map.of());
    PartitionLedger replay = new PartitionLedger(recorded);
    for (int offset = 0; offset < 30; offset++) {
      replay.rank(stream(100 + offset), 0, offset);
      replay.passed(offset);
    }

    PartitionLedger again = new PartitionLedger(recorded.merge(replay.progress()));

    assertThatThrownBy(() -> again.rank(row(new Position(500, 500, 0)), 0, 40))
        .isInstanceOf(RankRefused.class);
  }

  /** Its rows were all left out then, by a policy; what stands above them is unknown now. */
  @Test
  void aSnapshotThatWasPassedWithoutBeingRankedIsRefusedInAReplay() {
    PartitionProgress recorded =
        new PartitionProgress(100, 0, new Position(900, 900, 0), Long.MIN_VALUE, Map.of());

    assertThatThrownBy(() -> new PartitionLedger(recorded).rank(row(new Position(5, 5, 0)), 0, 3))
        .isInstanceOf(RankRefused.class);
  }

  @Test
  void aReplayFromBelowTheOriginMovesItToTheFirstOffsetThatWasRead() {
    PartitionLedger replay =
        new PartitionLedger(
            new PartitionProgress(100, 50, Position.ZERO, Long.MIN_VALUE, Map.of()));
    for (int offset = 20; offset < 101; offset++) {
      replay.passed(offset);
    }

    assertThat(replay.progress().origin()).isEqualTo(20);
  }

  @Test
  void givenVersionsAreTakenAsTheyAreAndTellNothingOfTheLog() {
    PartitionLedger ledger = new PartitionLedger(PartitionProgress.startingAt(0, 3));
    assertThat(ledger.rank(new SourcePosition.Given(new Position(7, 0, 0)), 0, 4))
        .isEqualTo(new CommitVersion(3, new Position(7, 0, 0), CommitVersion.STREAM, 4));
    assertThat(ledger.progress().last().highWater()).isEqualTo(Position.ZERO);
  }

  /** Snapshots, changes, suffixes that the connector sent twice, and a source that started over. */
  private static List<Read> log(Random random) {
    List<Read> log = new ArrayList<>();
    long lsn = 100;
    long time = 0;
    int length = 1 + random.nextInt(40);
    while (log.size() < length) {
      int what = random.nextInt(20);
      if (what == 0) {
        Position name = new Position(1000 + random.nextInt(3), 1000, 0);
        for (int rows = 1 + random.nextInt(4); rows > 0; rows--) {
          log.add(new Read(row(name), time));
        }
      } else if (what == 1 && !log.isEmpty()) {
        int from = random.nextInt(log.size());
        log.addAll(List.copyOf(log.subList(from, log.size()))); // a restart of the connector
      } else {
        lsn += random.nextInt(3);
        time += random.nextInt(2) * MINUTE;
        log.add(new Read(stream(lsn), time));
      }
    }
    if (random.nextInt(4) == 0) {
      for (int i = 1; i < 4; i++) {
        log.add(new Read(stream(i), time + i * MINUTE));
      }
    }
    return log;
  }

  /** The version of each record, or that it was refused. */
  private static List<String> read(PartitionLedger ledger, List<Read> log, int from, int to) {
    List<String> versions = new ArrayList<>();
    for (int offset = from; offset < to; offset++) {
      Read record = log.get(offset);
      try {
        versions.add(ledger.rank(record.source(), record.timeMicros(), offset).toText());
      } catch (RankRefused refused) {
        versions.add("refused");
      }
      ledger.passed(offset);
    }
    return versions;
  }

  /** Without the Kafka offset, which is a copy's own. */
  private static List<String> positions(List<String> versions) {
    return versions.stream().map(v -> v.equals("refused") ? v : v.substring(0, 61)).toList();
  }

  private static List<Object> ranks(PartitionLedger ledger) {
    Epoch epoch = ledger.progress().last();
    return List.of(epoch.generations(), epoch.highWater());
  }

  private static PartitionProgress startingAt(long offset) {
    return PartitionProgress.startingAt(offset);
  }

  private static SourcePosition stream(long lsn) {
    return new SourcePosition.Stream(new Position(lsn, lsn, 0));
  }

  private static SourcePosition row(Position snapshot) {
    return new SourcePosition.Snapshot(snapshot);
  }
}
