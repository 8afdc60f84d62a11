package io.tidemark.iceberg;

import io.tidemark.change.PrimaryKey;
import java.util.Arrays;

/**
 * Remembers keys by a hash of 64 bits, in eight to sixteen bytes a key. It may take a new key for a
 * seen one, never the other way round.
 */
final class SeenKeys {
  private static final long EMPTY = 0;

  private long[] slots = new long[1 << 10];
  private int used;

  /** Adds a key; false if it may have been added before. */
  boolean add(PrimaryKey key) {
    if (used > slots.length / 4 * 3) {
      grow();
    }
    long hash = hash(key.bytes());
    int slot = free(slots, hash);
    if (slots[slot] == hash) {
      return false;
    }
    slots[slot] = hash;
    used++;
    return true;
  }

  private void grow() {
    long[] old = slots;
    slots = new long[old.length * 2];
    for (long hash : old) {
      if (hash != EMPTY) {
        slots[free(slots, hash)] = hash;
      }
    }
  }

  /** The slot that holds the hash, or the first free one on its way. */
  private static int free(long[] slots, long hash) {
    int mask = slots.length - 1;
    int slot = (int) (hash ^ hash >>> 32) & mask;
    while (slots[slot] != EMPTY && slots[slot] != hash) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private static long hash(byte[] bytes) {
    long hash = 0xcbf29ce484222325L ^ Arrays.hashCode(bytes);
    for (byte b : bytes) {
      hash = (hash ^ b) * 0x9e3779b97f4a7c15L;
      hash ^= hash >>> 29;
    }
    return hash == EMPTY ? 1 : hash;
  }
}
