package io.tidemark.commit;

import io.tidemark.change.CommitVersion;
import java.io.Serializable;

/**
 * How many live rows a table has and of which versions, or how both changed: enough to notice that
 * rows came, went or became older ones without a commit that says so.
 *
 * <p>Digests add up, so each commit's rows are those of the commit before and what it changed, in
 * any order. Kafka offsets are left out: a mark learns the offsets of copies, and its row does not.
 * Nobody is kept from making rows that pass for others; that nothing was lost by accident is what
 * this tells.
 *
 * @param count rows; of a change, negative where more went than came
 * @param digest sum of the hashes of their versions, modulo 2^64
 */
public record LiveRows(long count, long digest) implements Serializable {

  /** None, or no change. */
  public static final LiveRows NONE = new LiveRows(0, 0);

  /** Both together. */
  public LiveRows plus(LiveRows other) {
    return new LiveRows(count + other.count, digest + other.digest);
  }

  /** With one row more. */
  public LiveRows and(CommitVersion version) {
    return new LiveRows(count + 1, digest + hash(version));
  }

  /** With one row less. */
  public LiveRows without(CommitVersion version) {
    return new LiveRows(count - 1, digest - hash(version));
  }

  /**
   * What a row of a version adds to the digest: epoch, the three numbers of the position and phase,
   * each added to what was and mixed. Never changed: records are compared with it.
   */
  public static long hash(CommitVersion version) {
    long hash = mix(version.epoch());
    hash = mix(hash + version.position().p1());
    hash = mix(hash + version.position().p2());
    hash = mix(hash + version.position().p3());
    return mix(hash + version.phase());
  }

  /** The finalizer of SplitMix64 (Steele, Lea and Flood, 2014), one to one. */
  private static long mix(long value) {
    long z = value + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /** The digest as records have it: 16 hexadecimal digits. */
  public String digestText() {
    return "%016x".formatted(digest);
  }
}
