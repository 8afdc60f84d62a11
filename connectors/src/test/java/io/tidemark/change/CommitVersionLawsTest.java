package io.tidemark.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.Seeds;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CommitVersionLawsTest {
  private static final int CASES = 20_000;

  @Test
  void theOrderIsTotalAntisymmetricAndTransitive() {
    Random random = Seeds.random("CommitVersionLawsTest.order", 41);
    for (int i = 0; i < CASES; i++) {
      CommitVersion a = some(random);
      CommitVersion b = some(random);
      CommitVersion c = some(random);

      assertThat(sign(a, b)).isEqualTo(-sign(b, a));
      assertThat(sign(a, b) == 0).isEqualTo(a.equals(b));
      assertThat(sign(a, a)).isZero();
      if (sign(a, b) <= 0 && sign(b, c) <= 0) {
        assertThat(sign(a, c)).isLessThanOrEqualTo(0);
      }
    }
  }

  @Test
  void partsCompareFromLeftToRight() {
    CommitVersion lowest = new CommitVersion(0, Position.ZERO, 0, 0);
    assertThat(lowest.atOffset(1)).isGreaterThan(lowest);
    assertThat(new CommitVersion(0, Position.ZERO, 1, 0)).isGreaterThan(lowest.atOffset(99));
    assertThat(new CommitVersion(0, new Position(0, 0, 1), 0, 0))
        .isGreaterThan(new CommitVersion(0, Position.ZERO, 1, 99));
    assertThat(new CommitVersion(0, new Position(0, -1, 0), 0, 0))
        .isGreaterThan(new CommitVersion(0, new Position(0, Long.MAX_VALUE, 9), 1, 99));
    assertThat(new CommitVersion(1, Position.ZERO, 0, 0))
        .isGreaterThan(new CommitVersion(0, new Position(-1, -1, -1), 1, 99));
  }

  @Test
  void bytesAndTextKeepTheOrderAndReadBack() {
    Random random = Seeds.random("CommitVersionLawsTest.encoding", 42);
    for (int i = 0; i < CASES; i++) {
      CommitVersion a = some(random);
      CommitVersion b = some(random);

      assertThat(CommitVersion.decode(a.encode())).isEqualTo(a);
      assertThat(CommitVersion.parse(a.toText())).isEqualTo(a);
      assertThat(Position.parse(a.position().toString())).isEqualTo(a.position());
      assertThat(Integer.signum(Arrays.compareUnsigned(a.encode(), b.encode())))
          .isEqualTo(sign(a, b));
      assertThat(Integer.signum(a.toText().compareTo(b.toText()))).isEqualTo(sign(a, b));
      assertThat(a.toText()).hasSize(78);
    }
  }

  @Test
  void anotherFormIsRefused() {
    assertThatThrownBy(() -> CommitVersion.decode(new byte[3]))
        .hasMessage("An encoded commit version has 37 bytes, got 3");
    assertThatThrownBy(() -> CommitVersion.parse("1-2"))
        .hasMessage(
            "A commit version looks like 00000000-<16 hex>-<16 hex>-<16 hex>-0-<16 hex>, got \"1-2\"");
    assertThatThrownBy(() -> new CommitVersion(-1, Position.ZERO, 0, 0))
        .hasMessage("epoch must not be negative, got -1");
    assertThatThrownBy(() -> new CommitVersion(0, Position.ZERO, 2, 0))
        .hasMessage("phase must be 0 or 1, got 2");
    assertThatThrownBy(() -> new CommitVersion(0, Position.ZERO, 0, -1))
        .hasMessage("offset must not be negative, got -1");
  }

  private static CommitVersion some(Random random) {
    return random.nextBoolean() ? Some.version(random) : Some.closeVersion(random);
  }

  private static int sign(CommitVersion a, CommitVersion b) {
    return Integer.signum(a.compareTo(b));
  }
}
