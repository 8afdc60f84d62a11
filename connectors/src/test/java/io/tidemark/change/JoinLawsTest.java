package io.tidemark.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JoinLawsTest {
  private static final int CASES = 20_000;
  private static final PrimaryKey KEY = new KeyWriter().start().finish();
  private static final byte[] NOWHERE = {};

  @Test
  void joiningMarksIsAssociativeCommutativeAndIdempotent() {
    Random random = Seeds.random("JoinLawsTest.marks", 51);
    for (int i = 0; i < CASES; i++) {
      Mark a = Some.mark(Some.change(KEY, random));
      Mark b = Some.mark(Some.change(KEY, random));
      Mark c = Some.mark(Some.change(KEY, random));

      assertThat(Join.highest(a, Join.highest(b, c)))
          .isEqualTo(Join.highest(Join.highest(a, b), c));
      assertThat(Join.highest(a, b)).isEqualTo(Join.highest(b, a));
      assertThat(Join.highest(a, a)).isEqualTo(a);
    }
  }

  @Test
  void decidingAgreesWithJoining() {
    Random random = Seeds.random("JoinLawsTest.decide", 52);
    for (int i = 0; i < CASES; i++) {
      Mark mark = Some.mark(Some.change(KEY, random));
      Change change = Some.change(KEY, random);
      Mark highest = Join.highest(mark, Some.mark(change));

      switch (Join.decide(mark, change)) {
        case APPLY -> {
          assertThat(highest).isEqualTo(Some.mark(change));
          assertThat(highest).isNotEqualTo(mark);
        }
        case SUPERSEDED -> {
          assertThat(highest).isEqualTo(mark);
          assertThat(highest).isNotEqualTo(Some.mark(change));
        }
        case DUPLICATE -> {
          assertThat(highest.kind()).isEqualTo(mark.kind());
          assertThat(highest.contentHash()).isEqualTo(mark.contentHash());
          assertThat(highest.version().comparePosition(mark.version())).isZero();
        }
      }
    }
  }

  @Test
  void everyChangeStandsAboveARowWithoutVersion() {
    Random random = Seeds.random("JoinLawsTest.unversioned", 55);
    Mark row = Mark.unversioned(NOWHERE);
    for (int i = 0; i < CASES; i++) {
      Change change = Some.change(KEY, random);
      assertThat(Join.decide(row, change)).isEqualTo(Join.Verdict.APPLY);
      assertThat(change.contentHash()).isNotEqualTo(row.contentHash());
    }
  }

  @Test
  void anyOrderAndAnyRepetitionEndInTheSameMark() {
    Random random = Seeds.random("JoinLawsTest.fold", 53);
    for (int i = 0; i < CASES; i++) {
      List<Change> changes = new ArrayList<>();
      for (int n = 1 + random.nextInt(6); n > 0; n--) {
        changes.add(Some.change(KEY, random));
      }
      Mark wanted = changes.stream().map(Some::mark).reduce(Join::highest).orElseThrow();

      List<Change> delivered = new ArrayList<>(changes);
      for (int n = random.nextInt(6); n > 0; n--) {
        delivered.add(changes.get(random.nextInt(changes.size())));
      }
      Collections.shuffle(delivered, random);

      assertThat(fold(delivered)).isEqualTo(wanted);
    }
  }

  @Test
  void theVeryRecordOfARowThatWasReadBackIsADuplicate() {
    Change change = Some.change(KEY, new Random(1));
    Mark readBack = new Mark(change.version(), Kind.UPSERT, Change.UNKNOWN_CONTENT, NOWHERE);

    assertThat(Join.decide(readBack, change)).isEqualTo(Join.Verdict.DUPLICATE);
    assertThat(Join.decide(readBack, at(change, change.version().offset() + 1)))
        .isEqualTo(Join.Verdict.APPLY);
    assertThat(Join.decide((Mark) null, change)).isEqualTo(Join.Verdict.APPLY);
  }

  private static Change at(Change change, long offset) {
    return new Change(
        change.key(), change.kind(), change.version().atOffset(offset), 0, change.row());
  }

  /** As the gate folds: a duplicate raises the mark's offset. */
  private static @Nullable Mark fold(List<Change> changes) {
    Mark mark = null;
    for (Change change : changes) {
      switch (Join.decide(mark, change)) {
        case APPLY -> mark = Some.mark(change);
        case DUPLICATE -> mark = Join.highest(mark, Some.mark(change));
        case SUPERSEDED -> {}
      }
    }
    return mark;
  }
}
