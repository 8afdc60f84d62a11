package io.tidemark.oracle;

import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the table of a log must hold: for each key the change with the highest version, and of the
 * columns that it leaves out what the changes below it told. Reads the records once; {@link #fold}
 * then answers for any place in the log.
 */
public final class Oracle {

  private final List<OracleChange> changes = new ArrayList<>();
  private final Set<String> topics = new HashSet<>();
  private final Gaps gaps;

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
    this(options, log, origin, epochs, Gaps.NONE);
  }

  /** The same for a table that lacks records because somebody accepted it. */
  public Oracle(OracleOptions options, RawLog log, Offsets origin, Epochs epochs, Gaps gaps) {
    this.gaps = gaps;
    ChangeReader reader = new ChangeReader(options, Ranks.NONE, epochs);
    for (RawEvent event : log.events()) {
      topics.add(event.topic());
      boolean leftOut = origin.cover(event) || gaps.has(Place.of(event));
      OracleChange change = leftOut ? null : reader.read(event);
      if (change != null) {
        changes.add(change);
      }
    }
  }

  /** The changes of the log, each partition's in order. */
  public List<OracleChange> changes() {
    return List.copyOf(changes);
  }

  /** How many keys have changes. */
  public long keys() {
    return changes.stream().map(OracleChange::key).distinct().count();
  }

  /** What the table lacks because somebody accepted it. */
  Gaps gaps() {
    return gaps;
  }

  /** Whether the log has records of a topic. */
  boolean has(String topic) {
    return topics.contains(topic);
  }

  /** The table after all records that lie before a place. */
  public OracleTable fold(Offsets upTo) {
    Map<Map<String, Object>, List<OracleChange>> keys = new LinkedHashMap<>();
    for (OracleChange change : changes) {
      if (upTo.cover(change.event())) {
        keys.computeIfAbsent(change.key(), key -> new ArrayList<>()).add(change);
      }
    }
    Map<Map<String, Object>, OracleRow> live = new HashMap<>();
    Map<Map<String, Object>, OracleRow> deleted = new HashMap<>();
    keys.forEach(
        (key, ofKey) -> {
          OracleRow row = replay(ofKey);
          (row.row() == null ? deleted : live).put(key, row);
        });
    return new OracleTable(live, deleted);
  }

  /** Does to one row what its database did, in the order of the versions. */
  private static OracleRow replay(List<OracleChange> changes) {
    List<OracleChange> inOrder = new ArrayList<>(changes);
    inOrder.sort(Comparator.comparing(OracleChange::version));
    Map<String, @Nullable Object> row = new TreeMap<>();
    Map<String, OracleTold> told = new TreeMap<>();
    OracleTold never = new OracleTold(null, false);
    OracleTold unknown = never;
    TreeMap<Long, @Nullable OffsetDateTime> copies = new TreeMap<>();
    OracleChange last = inOrder.get(0);
    for (OracleChange change : inOrder) {
      if (!isCopy(last, change)) {
        copies.clear();
      }
      copies.put(change.version().offset(), change.sourceTime());
      last = change;
      if (change.fresh()) {
        row.clear();
        told.clear();
        unknown = new OracleTold(change.version(), false);
      }
      if (change.row() != null) {
        row.putAll(change.row());
        OracleTold here = new OracleTold(change.version(), true);
        change.row().keySet().forEach(column -> told.put(column, here));
        for (String column : change.unsent()) {
          told.putIfAbsent(column, unknown);
          row.putIfAbsent(column, null);
        }
      }
    }
    OracleTold whole = new OracleTold(last.version(), true);
    told.values().removeIf(whole::equals);
    return new OracleRow(last.row() == null ? null : row, last.version(), copies, told);
  }

  /** An insert and an update that tie and send the whole row alike say the same. */
  private static boolean isCopy(OracleChange one, OracleChange other) {
    return one.version().ties(other.version())
        && Objects.equals(one.row(), other.row())
        && one.unsent().equals(other.unsent())
        && (one.unsent().isEmpty() || one.fresh() == other.fresh());
  }
}
