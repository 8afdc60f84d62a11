package io.tidemark.iceberg;

import io.tidemark.change.PrimaryKey;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keys that may have come twice, in a few bytes for each that came. Safe for use by several
 * threads.
 */
final class Suspects {
  private static final int SHARDS = 64;

  private final SeenKeys[] shards = new SeenKeys[SHARDS];
  private final Set<PrimaryKey> suspects = ConcurrentHashMap.newKeySet();

  Suspects() {
    for (int i = 0; i < SHARDS; i++) {
      shards[i] = new SeenKeys();
    }
  }

  /** A key came. */
  void saw(PrimaryKey key) {
    SeenKeys shard = shards[Math.floorMod(key.hashCode(), SHARDS)];
    boolean first;
    synchronized (shard) {
      first = shard.add(key);
    }
    if (!first) {
      suspects.add(key);
    }
  }

  boolean isEmpty() {
    return suspects.isEmpty();
  }

  boolean contains(PrimaryKey key) {
    return suspects.contains(key);
  }
}
