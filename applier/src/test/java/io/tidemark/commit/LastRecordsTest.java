package io.tidemark.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.TopicPartition;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Between the last record of a partition and its next offset no record lies, whoever reads. */
class LastRecordsTest {
  private static final TopicPartition ORDERS = new TopicPartition("orders", 0);

  @Test
  void aReaderGoesOn() {
    assertThat(recorded(5, 4).andRead(read(7, 1))).isEqualTo(recorded(8, 7));
    assertThat(recorded(7, 4).andRead(read(7, 1))).as("marks at 5 and 6").isEqualTo(recorded(8, 7));
    assertThat(Progress.NONE.andRead(read(7, 1))).isEqualTo(recorded(8, 7));
  }

  @Test
  void belowThemAReplayTellsNothing() {
    assertThat(recorded(5, 4).andRead(read(2, 1))).isEqualTo(recorded(5, 4));
    assertThat(at(5).andRead(read(2, 1))).as("which one is the last?").isEqualTo(at(5));
    assertThat(at(5).andRead(read(4, 1))).isEqualTo(recorded(5, 4));
  }

  /** Whoever replays a log that was written anew must find the table made from that one. */
  @Test
  void whatStandsThereNowCounts() {
    assertThat(recorded(5, 4).andRead(read(4, 2)).lastRecords())
        .isEqualTo(Map.of(ORDERS, new LastRecord(4, 0, 2)));
    assertThat(recorded(5, 2).andRead(read(3, 2)).lastRecords())
        .as("where a mark was")
        .isEqualTo(Map.of(ORDERS, new LastRecord(3, 0, 2)));
    Progress both =
        new PendingCommit(1, "c1", List.of(), recorded(5, 4), false)
            .followedBy(new PendingCommit(2, "c2", List.of(), read(4, 2), false))
            .progress();
    assertThat(both).isEqualTo(read(4, 2));
  }

  private static Progress recorded(long next, long last) {
    return at(next).withLastRecords(Map.of(ORDERS, new LastRecord(last, 0, 1)));
  }

  private static Progress read(long last, long hash) {
    return at(last + 1).withLastRecords(Map.of(ORDERS, new LastRecord(last, 0, hash)));
  }

  private static Progress at(long next) {
    return new Progress(Map.of(ORDERS, PartitionProgress.startingAt(0).skippingTo(next)));
  }
}
