package io.tidemark.change;

import java.util.Random;

/** Random values that often meet: from few numbers, so that ties are common. */
final class Some {
  private static final byte[] NOWHERE = {};

  private Some() {}

  static long number(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> 0;
      case 1 -> -1; // the highest, unsigned
      case 2 -> Long.MIN_VALUE;
      case 3 -> random.nextLong();
      default -> random.nextInt(3);
    };
  }

  static Position position(Random random) {
    return new Position(number(random), number(random), number(random));
  }

  static CommitVersion version(Random random) {
    long offset = random.nextInt(4) == 0 ? number(random) & Long.MAX_VALUE : random.nextInt(3);
    int epoch = random.nextInt(8) == 0 ? Integer.MAX_VALUE : random.nextInt(2);
    return new CommitVersion(epoch, position(random), random.nextInt(2), offset);
  }

  /** A version out of few, so that equal ones meet in every case. */
  static CommitVersion closeVersion(Random random) {
    Position position = new Position(random.nextInt(2), random.nextInt(2), 0);
    return new CommitVersion(0, position, random.nextInt(2), random.nextInt(3));
  }

  static Change change(PrimaryKey key, Random random) {
    Kind kind = random.nextInt(3) == 0 ? Kind.DELETE : Kind.UPSERT;
    byte[] row = {(byte) random.nextInt(2)};
    return new Change(key, kind, closeVersion(random), 0, row);
  }

  static Mark mark(Change change) {
    return new Mark(change.version(), change.kind(), change.contentHash(), NOWHERE);
  }
}
