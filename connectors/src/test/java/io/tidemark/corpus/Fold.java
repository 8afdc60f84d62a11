package io.tidemark.corpus;

import io.tidemark.change.Change;
import io.tidemark.change.CommitVersion;
import io.tidemark.change.Join;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.PartitionLedger;
import io.tidemark.change.PartitionProgress;
import io.tidemark.change.PrimaryKey;
import io.tidemark.debezium.ChangeDecoder;
import io.tidemark.debezium.DecodeResult;
import io.tidemark.debezium.DecodeResult.Decoded;
import io.tidemark.debezium.RawRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One table in memory: records of one topic, decoded, ranked and joined. What {@link #commit()}
 * keeps is what a table and its record keep: rows and deletes with their versions, and the progress
 * of each partition. {@link #loseState()} goes back to that and to nothing else.
 */
public final class Fold {
  private static final byte[] NOWHERE = {};

  private final ChangeDecoder decoder;
  private final Map<Integer, PartitionLedger> ledgers = new HashMap<>();
  private final Map<PrimaryKey, Mark> marks = new HashMap<>();
  private final Map<PrimaryKey, byte[]> rows = new HashMap<>();
  private final Map<PrimaryKey, byte[]> keys = new HashMap<>();
  private final List<String> malformed = new ArrayList<>();
  private final Map<Integer, PartitionProgress> recorded = new HashMap<>();
  private Map<PrimaryKey, Mark> committedMarks = Map.of();
  private Map<PrimaryKey, byte[]> committedRows = Map.of();

  /** An empty table; the decoder must write {@link TextRow}s. */
  public Fold(ChangeDecoder decoder) {
    this.decoder = decoder;
  }

  /** Applies records in this order. */
  public Fold applyAll(List<RawRecord> records) {
    records.forEach(this::apply);
    return this;
  }

  /** Begins a partition there: nothing before it is ever read. */
  public Fold startAt(int partition, long offset) {
    recorded.put(partition, PartitionProgress.startingAt(offset));
    return this;
  }

  /** All that was applied so far is in the table, and its record names the offsets. */
  public void commit() {
    ledgers.forEach((p, ledger) -> recorded.merge(p, ledger.progress(), PartitionProgress::merge));
    committedMarks = Map.copyOf(marks);
    committedRows = Map.copyOf(rows);
  }

  /** Forgets what was not committed, and of what was, all that a table does not hold. */
  public void loseState() {
    ledgers.clear();
    marks.clear();
    committedMarks.forEach(
        (key, mark) ->
            marks.put(
                key,
                mark.live()
                    ? new Mark(mark.version(), Kind.UPSERT, Change.UNKNOWN_CONTENT, NOWHERE)
                    : Mark.deleted(mark.version(), Mark.NEVER)));
    rows.clear();
    rows.putAll(committedRows);
  }

  /** The offset that the record names: all of the partition below it is in the table. */
  public long recorded(int partition) {
    return known(partition).nextOffset();
  }

  private PartitionProgress known(int partition) {
    return recorded.getOrDefault(partition, PartitionProgress.startingAt(0));
  }

  private void apply(RawRecord record) {
    DecodeResult result = decoder.decode(record);
    PartitionLedger ledger =
        ledgers.computeIfAbsent(record.at().partition(), p -> new PartitionLedger(known(p)));
    if (result instanceof DecodeResult.Malformed problem) {
      malformed.add(record.at() + ": " + problem.problem());
    }
    if (result instanceof Decoded decoded) {
      long offset = record.at().offset();
      CommitVersion version = ledger.rank(decoded.source(), decoded.sourceTimeMicros(), offset);
      join(
          new Change(
              decoded.key(), decoded.kind(), version, decoded.sourceTimeMicros(), decoded.row()));
    }
    ledger.passed(record.at().offset());
  }

  private void join(Change change) {
    keys.putIfAbsent(change.key(), change.row());
    Mark mark = marks.get(change.key());
    Join.Verdict verdict = Join.decide(mark, change);
    if (verdict == Join.Verdict.SUPERSEDED) {
      return;
    }
    if (verdict == Join.Verdict.DUPLICATE && mark != null) {
      long offset = Math.max(mark.version().offset(), change.version().offset());
      marks.put(
          change.key(),
          new Mark(mark.version().atOffset(offset), mark.kind(), mark.contentHash(), NOWHERE));
      return;
    }
    marks.put(
        change.key(), new Mark(change.version(), change.kind(), change.contentHash(), NOWHERE));
    if (change.kind() == Kind.UPSERT) {
      rows.put(change.key(), change.row());
    } else {
      rows.remove(change.key());
    }
  }

  /** What was refused, in order. */
  public List<String> malformed() {
    return malformed;
  }

  /** The live rows, each by the text of its column {@code id}. */
  public Map<String, Map<String, String>> rows() {
    return rows(List.of("id"));
  }

  /** The keys that any change was of, by the texts of their columns with commas between. */
  public Set<String> keys(List<String> key) {
    return keys.values().stream()
        .map(row -> name(TextRow.read(row), key))
        .collect(Collectors.toSet());
  }

  private static String name(Map<String, String> columns, List<String> key) {
    return String.join(",", key.stream().map(c -> "" + columns.get(c)).toList());
  }

  /** The live rows, each by the texts of its key columns with commas between. */
  public Map<String, Map<String, String>> rows(List<String> key) {
    Map<String, Map<String, String>> byId = new TreeMap<>();
    for (byte[] row : rows.values()) {
      Map<String, String> columns = TextRow.read(row);
      byId.put(name(columns, key), columns);
    }
    if (byId.size() != rows.size()) {
      throw new AssertionError("Two rows have the same key");
    }
    return byId;
  }
}
