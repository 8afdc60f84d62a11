package io.tidemark.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.CommitVersion;
import io.tidemark.change.PartitionLedger;
import io.tidemark.change.PartitionProgress;
import io.tidemark.change.Position;
import io.tidemark.change.RankRefused;
import io.tidemark.change.SourceOffset;
import io.tidemark.change.SourcePosition;
import io.tidemark.change.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LateRanksTest {
  private static final TopicPartition ORDERS = new TopicPartition("orders", 0);

  /** What each record of the partition says, in the order of the offsets. */
  private final List<SourcePosition> log = new ArrayList<>();

  private final Map<Integer, String> aside = new TreeMap<>();

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void aRecordGetsTheVersionOfItsTurnOrNone(long seed) {
    Random random = new Random(seed);
    long position = 100;
    int refused = 0;
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      position += 10;
      switch (random.nextInt(12)) {
        case 0 -> log.add(new SourcePosition.Snapshot(new Position(0, position, 0)));
        case 1 -> log.add(new SourcePosition.Opening(new Position(0, position - 400, 0), position));
        default -> log.add(new SourcePosition.Stream(new Position(position - 10, position, 0)));
      }
    }
    List<CommitVersion> inTurn = versions(List.of());
    List<Integer> put = random.ints(60, 0, log.size()).distinct().sorted().boxed().toList();
    List<CommitVersion> without = versions(put);
    LateRanks ranks = ranks(put);
    for (int offset : put) {
      CommitVersion version;
      try {
        version = rank(ranks, offset, aside.get(offset));
      } catch (RankRefused e) {
        refused++;
        continue;
      }
      for (int other = 0; other < log.size(); other++) {
        CommitVersion standing = without.get(other);
        if (standing != null
            && Integer.signum(version.compareTo(standing))
                != Integer.signum(inTurn.get(offset).compareTo(inTurn.get(other)))) {
          wrong.add("seed " + seed + ": " + offset + " beside " + other);
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(refused).isLessThan(put.size());
  }

  @Test
  void whatIsNotCoveredByTheRecordIsRefused() {
    log.add(new SourcePosition.Stream(new Position(0, 1, 0)));
    LateRanks ranks = ranks(List.of());

    assertThatThrownBy(() -> ranks.rank(log.get(0), 0, new SourceOffset("orders", 0, 1), null))
        .hasMessageContaining("the table has been read up to offset 1 only");
    assertThatThrownBy(() -> ranks.rank(log.get(0), 0, new SourceOffset("orders", 1, 0), null))
        .hasMessageContaining("the table was never read from there");
    assertThatThrownBy(() -> rank(ranks, 0, null)).hasMessageContaining("tidemark.ranks");
    assertThatThrownBy(() -> rank(ranks, 0, "{nonsense"))
        .hasMessage("header tidemark.ranks is not what Tidemark wrote");
    String other = ProgressText.of(new TopicPartition("b", 0), PartitionProgress.startingAt(0));
    assertThatThrownBy(() -> rank(ranks, 0, other))
        .hasMessage("header tidemark.ranks is of another partition");
  }

  /** It has no name to be kept under, and needs none where its own place is right. */
  @Test
  void aTransactionWithoutNumberHasItsOwnPlace() {
    log.add(new SourcePosition.Stream(new Position(0, 1, 0)));
    log.add(new SourcePosition.Opening(new Position(0, 2, 0), null));
    List<CommitVersion> inTurn = versions(List.of());
    LateRanks ranks = ranks(List.of(1));
    assertThat(rank(ranks, 1, aside.get(1))).isEqualTo(inTurn.get(1));
  }

  /** It is kept among the ranks, and no rows are ranked by it. */
  @Test
  void aLowerPositionThatCameLaterIsNoSnapshot() {
    for (long position : List.of(10L, 100L, 5L)) {
      log.add(new SourcePosition.Stream(new Position(0, position, 0)));
    }
    List<CommitVersion> inTurn = versions(List.of());
    LateRanks ranks = ranks(List.of(1));
    assertThat(rank(ranks, 1, aside.get(1))).isEqualTo(inTurn.get(1));
  }

  @Test
  void aVersionThatWasGivenStays() {
    log.add(new SourcePosition.Stream(new Position(0, 1, 0)));
    LateRanks ranks = ranks(List.of());
    CommitVersion version = new CommitVersion(0, new Position(7, 7, 7), 0, 0);

    assertThat(rank(ranks, 0, version.toText())).isEqualTo(version);
    assertThatThrownBy(() -> rank(ranks, 0, version.atOffset(5).toText()))
        .hasMessage("header tidemark.ranks is of another record");
  }

  private CommitVersion rank(LateRanks ranks, int offset, String known) {
    return ranks.rank(log.get(offset), time(offset), new SourceOffset("orders", 0, offset), known);
  }

  private LateRanks ranks(List<Integer> put) {
    PartitionLedger ledger = new PartitionLedger(PartitionProgress.startingAt(0));
    read(ledger, put);
    return new LateRanks(new Progress(Map.of(ORDERS, ledger.progress())));
  }

  private List<CommitVersion> versions(List<Integer> put) {
    return read(new PartitionLedger(PartitionProgress.startingAt(0)), put);
  }

  private List<CommitVersion> read(PartitionLedger ledger, List<Integer> put) {
    List<CommitVersion> versions = new ArrayList<>();
    for (int offset = 0; offset < log.size(); offset++) {
      if (put.contains(offset)) {
        aside.put(offset, ProgressText.of(ORDERS, ledger.progress()));
        versions.add(null);
      } else {
        versions.add(ledger.rank(log.get(offset), time(offset), offset));
      }
      ledger.passed(offset);
    }
    return versions;
  }

  private static long time(int offset) {
    return offset * 1_000_000L;
  }
}
