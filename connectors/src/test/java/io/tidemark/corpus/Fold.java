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
import java.util.TreeMap;

/** One table in memory: records of one topic, decoded, ranked and joined. */
public final class Fold {
  private static final byte[] NOWHERE = {};

  private final ChangeDecoder decoder;
  private final Map<Integer, PartitionLedger> ledgers = new HashMap<>();
  private final Map<PrimaryKey, Mark> marks = new HashMap<>();
  private final Map<PrimaryKey, byte[]> rows = new HashMap<>();
  private final List<String> malformed = new ArrayList<>();

  /** An empty table; the decoder must write {@link TextRow}s. */
  public Fold(ChangeDecoder decoder) {
    this.decoder = decoder;
  }

  /** Applies records in this order. */
  public Fold applyAll(List<RawRecord> records) {
    records.forEach(this::apply);
    return this;
  }

  private void apply(RawRecord record) {
    DecodeResult result = decoder.decode(record);
    PartitionLedger ledger =
        ledgers.computeIfAbsent(
            record.at().partition(), p -> new PartitionLedger(PartitionProgress.startingAt(0)));
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

  /** The live rows, each by the texts of its key columns with commas between. */
  public Map<String, Map<String, String>> rows(List<String> key) {
    Map<String, Map<String, String>> byId = new TreeMap<>();
    for (byte[] row : rows.values()) {
      Map<String, String> columns = TextRow.read(row);
      byId.put(String.join(",", key.stream().map(c -> "" + columns.get(c)).toList()), columns);
    }
    if (byId.size() != rows.size()) {
      throw new AssertionError("Two rows have the same key");
    }
    return byId;
  }
}
