package io.tidemark.oracle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the table of a log must hold: for each key the change with the highest version. Reads the
 * records once; {@link #fold} then answers for any place in the log.
 */
public final class Oracle {

  private final List<OracleChange> changes = new ArrayList<>();
  private final Set<String> topics = new HashSet<>();

  /**
   * Reads a log.
   *
   * @param origin where the table began to read
   * @throws IllegalArgumentException if a record cannot be understood
   */
  public Oracle(OracleOptions options, RawLog log, Offsets origin) {
    this(options, log, origin, Epochs.NONE);
  }

  /** The same for a table in which epochs were begun. */
  public Oracle(OracleOptions options, RawLog log, Offsets origin, Epochs epochs) {
    ChangeReader reader = new ChangeReader(options, Ranks.NONE, epochs);
    for (RawEvent event : log.events()) {
      topics.add(event.topic());
      OracleChange change = origin.cover(event) ? null : reader.read(event);
      if (change != null) {
        changes.add(change);
      }
    }
  }

  /** The changes of the log, each partition's in order. */
  public List<OracleChange> changes() {
    return List.copyOf(changes);
  }

  /** Whether the log has records of a topic. */
  boolean has(String topic) {
    return topics.contains(topic);
  }

  /** The table after all records that lie before a place. */
  public OracleTable fold(Offsets upTo) {
    Map<Map<String, Object>, OracleRow> keys = new LinkedHashMap<>();
    for (OracleChange change : changes) {
      if (upTo.cover(change.event())) {
        keys.merge(change.key(), alone(change), Oracle::join);
      }
    }
    Map<Map<String, Object>, OracleRow> live = new HashMap<>();
    Map<Map<String, Object>, OracleRow> deleted = new HashMap<>();
    keys.forEach((key, row) -> (row.row() == null ? deleted : live).put(key, row));
    return new OracleTable(live, deleted);
  }

  private static OracleRow alone(OracleChange change) {
    return new OracleRow(
        change.row(),
        change.version(),
        new TreeSet<>(List.of(change.version().offset())),
        change.sourceTime());
  }

  private static OracleRow join(OracleRow one, OracleRow other) {
    boolean oneIsHigher = one.version().compareTo(other.version()) >= 0;
    OracleRow higher = oneIsHigher ? one : other;
    OracleRow lower = oneIsHigher ? other : one;
    if (!higher.version().ties(lower.version()) || !Objects.equals(higher.row(), lower.row())) {
      return higher;
    }
    TreeSet<Long> offsets = new TreeSet<>(higher.offsets());
    offsets.addAll(lower.offsets());
    return new OracleRow(higher.row(), higher.version(), offsets, higher.sourceTime());
  }
}
