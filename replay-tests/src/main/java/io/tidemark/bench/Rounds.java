package io.tidemark.bench;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** All drains of one topic, in the order of the rounds. */
final class Rounds {

  private final Topic topic;
  private final Map<Side, List<Drain>> drains = new EnumMap<>(Side.class);

  Rounds(Topic topic) {
    this.topic = topic;
    for (Side side : Side.values()) {
      drains.put(side, new ArrayList<>());
    }
  }

  Topic topic() {
    return topic;
  }

  void add(Side side, Drain drain) {
    of(side).add(drain);
  }

  List<Drain> of(Side side) {
    return Objects.requireNonNull(drains.get(side));
  }
}
