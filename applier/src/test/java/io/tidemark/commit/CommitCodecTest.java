package io.tidemark.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.Position;
import io.tidemark.change.TopicPartition;
import io.tidemark.failure.RefusedException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CommitCodecTest {
  private static final TopicPartition ORDERS = new TopicPartition("orders", 3);
  private static final PartitionProgress KNOWN =
      new PartitionProgress(
          9, 2, new Position(1, 2, 3), 4, Map.of(new Position(5, 0, 0), new Position(6, 0, 0)));

  @Test
  void progressComesBackAsItWas() throws IOException {
    Progress progress =
        new Progress(Map.of(ORDERS, KNOWN), Map.of("orders", "A"), Set.of(new Gap(ORDERS, 3, 4)));

    assertThat(through(progress)).isEqualTo(progress);
    Progress remembered =
        progress.withLastRecords(Map.of(ORDERS, new LastRecord(8, 1_700_000_000_000L, -7)));
    assertThat(through(remembered)).isEqualTo(remembered);
    Progress later =
        new Progress(
            Map.of(
                ORDERS,
                KNOWN.beginning(2, 9),
                new TopicPartition("orders", 4),
                PartitionProgress.startingAt(0, 3)));
    assertThat(through(later)).isEqualTo(later);
    assertThat(through(Progress.NONE)).isEqualTo(Progress.NONE);
  }

  /** What the first builds wrote into checkpoints. */
  @Test
  void progressOfTheFirstFormatIsRead() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(1);
      out.writeUTF("orders");
      out.writeInt(3);
      long[] numbers = {9, 2, 1, 2, 3, 4};
      for (long number : numbers) {
        out.writeLong(number);
      }
      out.writeInt(1);
      long[] generation = {5, 0, 0, 6, 0, 0};
      for (long number : generation) {
        out.writeLong(number);
      }
    }

    assertThat(CommitCodec.progressFromBytes(bytes.toByteArray()))
        .isEqualTo(new Progress(Map.of(ORDERS, KNOWN)));
  }

  /** What builds wrote that knew gaps, and one epoch only. */
  @Test
  void progressOfTheThirdFormatIsRead() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(-3);
      out.writeInt(1);
      out.writeUTF("orders");
      out.writeInt(3);
      long[] numbers = {9, 2, 1, 2, 3, 4};
      for (long number : numbers) {
        out.writeLong(number);
      }
      out.writeInt(1);
      long[] generation = {5, 0, 0, 6, 0, 0};
      for (long number : generation) {
        out.writeLong(number);
      }
      out.writeInt(1);
      out.writeUTF("orders");
      out.writeUTF("A");
      out.writeInt(1);
      out.writeUTF("orders");
      out.writeInt(3);
      out.writeLong(3);
      out.writeLong(4);
    }

    assertThat(CommitCodec.progressFromBytes(bytes.toByteArray()))
        .isEqualTo(
            new Progress(
                Map.of(ORDERS, KNOWN), Map.of("orders", "A"), Set.of(new Gap(ORDERS, 3, 4))));
  }

  /** What builds wrote that remembered no last records: the same without them at the end. */
  @Test
  void progressOfTheFourthFormatIsRead() throws IOException {
    Progress progress = new Progress(Map.of(ORDERS, KNOWN.beginning(2, 9)));
    byte[] now = CommitCodec.progressToBytes(progress);
    byte[] before = Arrays.copyOf(now, now.length - 4);
    before[3] = -4;

    assertThat(CommitCodec.progressFromBytes(before)).isEqualTo(progress);
  }

  @Test
  void ofTwoLastRecordsTheLaterStaysAndAtOneOffsetTheReadersOwn() {
    Progress read = Progress.NONE.withLastRecords(Map.of(ORDERS, new LastRecord(5, 0, 1)));
    for (long offset : new long[] {4, 5}) {
      Progress parent = read.withLastRecords(Map.of(ORDERS, new LastRecord(offset, 0, 2)));
      assertThat(read.merge(parent)).isEqualTo(read);
    }
    Progress later = read.withLastRecords(Map.of(ORDERS, new LastRecord(6, 0, 2)));
    assertThat(read.merge(later)).isEqualTo(later);
  }

  @Test
  void whatMovesFromTheKeyToTheValueIsAnotherRecord() {
    byte[] a = {1};
    byte[] ab = {1, 2};
    byte[] b = {2};
    byte[] none = {};

    assertThat(
            Set.of(
                LastRecord.of(1, 2, a, b),
                LastRecord.of(1, 2, ab, none),
                LastRecord.of(1, 2, none, ab),
                LastRecord.of(1, 2, null, ab),
                LastRecord.of(1, 2, ab, null),
                LastRecord.of(1, 3, a, b)))
        .hasSize(6);
    assertThat(LastRecord.of(1, 2, ab, null)).isEqualTo(LastRecord.of(1, 2, ab.clone(), null));
  }

  @Test
  void progressOfALaterFormatIsRefused() {
    assertThatThrownBy(() -> CommitCodec.progressFromBytes(new byte[] {-1, -1, -1, -99}))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith("Progress in state has format 99, this build reads up to ");
  }

  private static Progress through(Progress progress) throws IOException {
    return CommitCodec.progressFromBytes(CommitCodec.progressToBytes(progress));
  }
}
