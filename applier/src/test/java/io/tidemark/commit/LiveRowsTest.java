package io.tidemark.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.CommitVersion;
import io.tidemark.change.Position;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LiveRowsTest {

  @Test
  void anyOrderOfComingAndGoingCountsTheSame() {
    long seed = Long.getLong("tidemark.seed", new Random().nextLong());
    System.out.println("LiveRowsTest, -Dtidemark.seed=" + seed);
    Random random = new Random(seed);
    List<CommitVersion> versions = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      versions.add(version(random.nextInt(3), random.nextInt(50), random.nextInt(2), i));
    }
    LiveRows rows = LiveRows.NONE;
    for (CommitVersion version : versions) {
      rows = rows.and(version);
    }
    LiveRows change = LiveRows.NONE;
    Collections.shuffle(versions, random);
    for (CommitVersion version : versions.subList(0, 400)) {
      change = change.without(version);
    }
    LiveRows left = LiveRows.NONE;
    for (CommitVersion version : versions.subList(400, 1_000)) {
      left = left.and(version);
    }
    assertThat(rows.plus(change)).isEqualTo(left);
    assertThat(left.count()).isEqualTo(600);
    assertThat(left).isNotEqualTo(LiveRows.NONE.and(versions.get(0)));
  }

  @Test
  void eachPartOfAVersionButItsOffsetCounts() {
    CommitVersion version = version(1, 2, 0, 7);
    assertThat(LiveRows.hash(version(1, 2, 0, 8))).isEqualTo(LiveRows.hash(version));
    assertThat(
            List.of(
                LiveRows.hash(version),
                LiveRows.hash(version(2, 2, 0, 7)),
                LiveRows.hash(version(1, 3, 0, 7)),
                LiveRows.hash(version(1, 2, 1, 7)),
                LiveRows.hash(new CommitVersion(1, new Position(2, 4, 3), 0, 7)),
                LiveRows.hash(new CommitVersion(1, new Position(3, 2, 3), 0, 7))))
        .doesNotHaveDuplicates();
  }

  /** Records are compared with it for years: it is the JDK's generator, part by part. */
  @Test
  void theHashIsSplitMix64() {
    long number = 0;
    for (long part : new long[] {1, 2, 3, 2, 0}) {
      number = new SplittableRandom(number + part).nextLong();
    }
    assertThat(LiveRows.hash(version(1, 2, 0, 7))).isEqualTo(number);
    assertThat(new LiveRows(1, -2).digestText()).isEqualTo("fffffffffffffffe");
  }

  private static CommitVersion version(int epoch, long commit, int phase, long offset) {
    return new CommitVersion(epoch, new Position(commit, 3, 2), phase, offset);
  }
}
