package io.tidemark.bench;

import java.util.Random;

/** Numbers from 0 on, each live or free; both kinds can be drawn from evenly. */
final class KeyPool {

  private final int[] numbers;
  private int live;

  /** All of them free. */
  KeyPool(int size) {
    numbers = new int[size];
    for (int i = 0; i < size; i++) {
      numbers[i] = i;
    }
  }

  int live() {
    return live;
  }

  int free() {
    return numbers.length - live;
  }

  /** A live number. */
  int any(Random random) {
    return numbers[random.nextInt(live)];
  }

  /** A free number, which becomes live. */
  int take(Random random) {
    swap(live, live + random.nextInt(free()));
    return numbers[live++];
  }

  /** A live number, which becomes free. */
  int giveBack(Random random) {
    swap(random.nextInt(live), --live);
    return numbers[live];
  }

  private void swap(int i, int j) {
    int held = numbers[i];
    numbers[i] = numbers[j];
    numbers[j] = held;
  }
}
