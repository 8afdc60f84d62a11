package io.tidemark.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Which keys a table has and once had, so that a script knows what its statements will hit. */
final class Keys {

  private final Random random;
  private final List<Long> live = new ArrayList<>();
  private final List<Long> dead = new ArrayList<>();
  private long last;

  Keys(Random random) {
    this.random = random;
  }

  int liveCount() {
    return live.size();
  }

  /** A live key, which counts as gone until it is added again. */
  long take() {
    return swapRemove(live, random.nextInt(live.size()));
  }

  /** A key that is not live: a new one, or now and then one that was deleted. */
  long unused() {
    if (!dead.isEmpty() && random.nextInt(5) == 0) {
      return swapRemove(dead, random.nextInt(dead.size()));
    }
    return ++last;
  }

  void live(long key) {
    live.add(key);
  }

  void dead(long key) {
    dead.add(key);
  }

  private static long swapRemove(List<Long> keys, int index) {
    long key = keys.get(index);
    long moved = keys.remove(keys.size() - 1);
    if (index < keys.size()) {
      keys.set(index, moved);
    }
    return key;
  }
}
