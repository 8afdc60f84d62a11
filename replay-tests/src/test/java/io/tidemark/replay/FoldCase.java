package io.tidemark.replay;

import io.tidemark.change.Change;
import io.tidemark.change.CommitVersion;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.PartitionLedger;
import io.tidemark.change.PartitionProgress;
import io.tidemark.change.PrimaryKey;
import io.tidemark.change.RankRefused;
import io.tidemark.change.SourceOffset;
import io.tidemark.debezium.DecodeResult;
import io.tidemark.debezium.RawRecord;
import io.tidemark.fault.Parts;
import io.tidemark.flink.Decoder;
import io.tidemark.flink.row.BinaryRowSplice;
import io.tidemark.merge.Gate;
import io.tidemark.merge.KeptRows;
import io.tidemark.merge.MarkStore;
import io.tidemark.merge.RowSource;
import io.tidemark.merge.RowStore;
import io.tidemark.merge.StoredRow;
import io.tidemark.merge.Winner;
import io.tidemark.oracle.Offsets;
import io.tidemark.oracle.Oracle;
import io.tidemark.oracle.OracleChange;
import io.tidemark.oracle.OracleOptions;
import io.tidemark.oracle.OracleTable;
import io.tidemark.oracle.RawLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The decoder, the ranks, the rule and the gate, with no Flink and no table around them: a log is
 * read partition by partition in any interleaving, cut into batches anywhere, begun again with and
 * without state, and its changes are offered in any order. A model table takes the winners as
 * Iceberg would: a row goes only where its delete is written.
 */
final class FoldCase {

  private final Prepared log;
  private final Random random;
  private final ModelTable table = new ModelTable();
  private final Map<Integer, Long> recorded = new TreeMap<>();
  private Map<Integer, PartitionProgress> known = new HashMap<>();
  private Map<Integer, PartitionLedger> ledgers = new HashMap<>();
  private Map<PrimaryKey, Mark> marks = new HashMap<>();
  private Map<PrimaryKey, Mark> savedMarks = Map.of();
  private Map<PrimaryKey, StoredRow> stored = new HashMap<>();
  private Map<PrimaryKey, StoredRow> savedStored = Map.of();
  private Map<PrimaryKey, Winner> written = new HashMap<>();
  private Map<Integer, Long> next = new TreeMap<>();
  private final List<List<Winner>> closed = new ArrayList<>();
  private final List<String> story = new ArrayList<>();
  private Gate gate;
  private Decoder decoder;
  private boolean inOrder = true;
  private boolean keeping;
  private Predicate<Change> passing;

  /** A log, read once by the oracle for all cases. */
  static final class Prepared {
    private final LogRecords records;
    private final Parts parts;
    private final Decoder.Factory decoders;
    private final RowView view;
    private final Oracle oracle;
    private final Offsets end;
    private final Map<String, OracleChange> changes = new HashMap<>();
    private final Map<Map<Integer, Long>, OracleTable> folds = new HashMap<>();

    /**
     * Reads a log.
     *
     * @param parts of which decoders and what passes after them are taken
     */
    Prepared(RawLog log, Parts parts) {
      this.parts = parts;
      records = LogRecords.of(log);
      decoders = parts.decoders(LogRecords.decoders(records.shape()));
      view = new RowView(records.shape());
      oracle = new Oracle(OracleOptions.DEFAULT, log, Offsets.NONE);
      end = log.end();
      oracle.changes().forEach(change -> changes.put(change.event().place(), change));
    }

    /** How many keys it has. */
    long keys() {
      return changes.values().stream().map(OracleChange::key).distinct().count();
    }

    private String topic() {
      return end.next().keySet().iterator().next();
    }

    private OracleTable fold(Map<Integer, Long> upTo) {
      return folds.computeIfAbsent(
          new TreeMap<>(upTo), offsets -> oracle.fold(new Offsets(Map.of(topic(), offsets))));
    }
  }

  FoldCase(Prepared log, Random random) {
    this.log = log;
    this.random = random;
    log.records
        .partitions()
        .keySet()
        .forEach(
            partition -> {
              next.put(partition, 0L);
              recorded.put(partition, 0L);
              known.put(partition, PartitionProgress.startingAt(0));
            });
    begin();
  }

  /** Reads in the order of each partition, with restarts; every checkpoint is compared. */
  void read() {
    int restarts = random.nextInt(4);
    while (true) {
      int dice = random.nextInt(20);
      if (dice < 16) {
        read(random.nextInt(12));
      } else if (dice < 19) {
        checkpoint();
      } else if (restarts-- > 0) {
        restart();
      }
      if (atEnd()) {
        checkpoint();
        return;
      }
    }
  }

  /**
   * Offers all changes in an order of its own, some of them several times; the end is compared.
   * Kafka never shows a copy before what lies between it and the first, so here any copy may be the
   * one whose offset a row has.
   */
  void permute() {
    List<Change> changes = new ArrayList<>();
    log.records
        .partitions()
        .forEach(
            (partition, records) ->
                records.forEach(record -> changes.addAll(decode(record, partition))));
    List<Change> delivered = new ArrayList<>(changes);
    for (int i = random.nextInt(changes.size()); i > 0; i--) {
      delivered.add(changes.get(random.nextInt(changes.size())));
    }
    Collections.shuffle(delivered, random);
    story.add("shuffled");
    inOrder = false;
    for (Change change : delivered) {
      offer(change);
      if (random.nextInt(10) == 0) {
        closed.add(flushed());
      }
    }
    log.records.partitions().forEach((partition, all) -> next.put(partition, (long) all.size()));
    checkpoint();
  }

  private boolean atEnd() {
    return log.records.partitions().entrySet().stream()
        .allMatch(p -> next.get(p.getKey()) >= p.getValue().size());
  }

  private void begin() {
    ledgers = new HashMap<>();
    known.forEach((p, progress) -> ledgers.put(p, new PartitionLedger(progress)));
    closed.clear();
    decoder = log.decoders.open();
    passing = log.parts.passing();
    written = table.live();
    // Rows are kept in state whatever their size, or none but those that columns are kept in.
    KeptRows rows =
        new KeptRows(
            rowStore(),
            this::rows,
            new BinaryRowSplice(log.records.shape()),
            random.nextBoolean() ? 0 : 1 << 20,
            false);
    gate = new Gate(store(), log.view::placement, random.nextBoolean() ? 900 : 1 << 20, rows);
    if (keeping) {
      gate.keep();
    }
  }

  private List<Winner> flushed() {
    try {
      List<Winner> winners = gate.flush();
      winners.forEach(winner -> written.put(winner.change().key(), winner));
      return winners;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The rows that were written last, committed or on their way. */
  private Map<PrimaryKey, StoredRow> rows(List<RowSource.Wanted> wanted) {
    Map<PrimaryKey, StoredRow> found = new HashMap<>();
    for (RowSource.Wanted row : wanted) {
      Winner last = written.get(row.key());
      Mark mark = row.mark();
      if (last == null
          || last.change().kind() != Kind.UPSERT
          || last.change().version().comparePosition(mark.version()) != 0
          || !last.kept().keySet().equals(mark.kept().keySet())) {
        throw new AssertionError("No row was written of which " + mark + " speaks");
      }
      found.put(
          row.key(),
          new StoredRow(
              last.change().version(),
              mark.contentHash(),
              last.change().sourceTimeMicros(),
              last.change().row()));
    }
    return found;
  }

  /** One that forgets now and then. */
  private RowStore rowStore() {
    return new RowStore() {
      @Override
      public StoredRow get(PrimaryKey key) {
        return random.nextInt(4) == 0 ? null : stored.get(key);
      }

      @Override
      public void put(PrimaryKey key, StoredRow row) {
        stored.put(key, row);
      }

      @Override
      public void remove(PrimaryKey key) {
        stored.remove(key);
      }
    };
  }

  private MarkStore store() {
    return new MarkStore() {
      @Override
      public Mark get(PrimaryKey key) {
        return marks.get(key);
      }

      @Override
      public void put(PrimaryKey key, Mark mark) {
        marks.put(key, mark);
      }
    };
  }

  private void read(int count) {
    List<Integer> partitions = new ArrayList<>(next.keySet());
    int partition = partitions.get(random.nextInt(partitions.size()));
    List<RawRecord> records = log.records.partitions().get(partition);
    for (int i = 0; i < count && next.get(partition) < records.size(); i++) {
      decode(records.get(next.get(partition).intValue()), partition).forEach(this::offer);
      next.merge(partition, 1L, Long::sum);
      if (gate.isFull()) {
        closed.add(flushed());
      }
    }
  }

  private void offer(Change change) {
    if (passing.test(change)) {
      gate.offer(change);
    }
  }

  private List<Change> decode(RawRecord record, int partition) {
    PartitionLedger ledger = ledgers.get(partition);
    DecodeResult result = decoder.decode(record);
    List<Change> changes = new ArrayList<>();
    if (result instanceof DecodeResult.Decoded decoded) {
      Change change = change(decoded, record, ledger);
      OracleChange expected = log.changes.get(place(record.at()));
      table.names(change.key(), expected == null ? null : expected.key());
      changes.add(change);
    } else if (result instanceof DecodeResult.Malformed bad) {
      throw new AssertionError(record.at() + ": " + bad.problem());
    }
    ledger.passed(record.at().offset());
    return changes;
  }

  private static String place(SourceOffset at) {
    return at.topic() + "-" + at.partition() + "@" + at.offset();
  }

  private static Change change(
      DecodeResult.Decoded decoded, RawRecord record, PartitionLedger ledger) {
    try {
      CommitVersion version =
          ledger.rank(decoded.source(), decoded.sourceTimeMicros(), record.at().offset());
      return new Change(
          decoded.key(),
          decoded.kind(),
          version,
          decoded.sourceTimeMicros(),
          decoded.row(),
          decoded.unsent(),
          decoded.removed());
    } catch (RankRefused e) {
      throw new AssertionError(record.at() + ": " + e.getMessage(), e);
    }
  }

  /** What a barrier closes is committed: all of it, with the offsets read. */
  private void checkpoint() {
    closed.add(flushed());
    for (List<Winner> batch : closed) {
      batch.forEach(winner -> table.take(winner, log.view));
    }
    closed.clear();
    story.add("checkpoint at " + next);
    next.forEach((partition, offset) -> recorded.merge(partition, offset, Math::max));
    ledgers.forEach((p, ledger) -> known.merge(p, ledger.progress(), PartitionProgress::merge));
    savedMarks = new HashMap<>(marks);
    savedStored = new HashMap<>(stored);
    keeping = gate.isKeeping();
    table.compare(log.fold(recorded), log.view, inOrder);
  }

  /**
   * With the state of the last checkpoint, or with what the table has, from there or from below.
   */
  private void restart() {
    boolean withState = random.nextBoolean();
    boolean fromBelow = !withState && random.nextBoolean();
    marks = withState ? new HashMap<>(savedMarks) : table.marks(log.view);
    stored = withState ? new HashMap<>(savedStored) : new HashMap<>();
    keeping &= withState;
    next = new TreeMap<>(recorded);
    if (fromBelow) {
      next.replaceAll((partition, offset) -> (long) random.nextInt((int) (offset + 1)));
    }
    story.add((withState ? "restored to " : "without state from ") + next);
    begin();
  }

  /** How many snapshots were compared with the oracle. */
  long checked() {
    return story.stream().filter(event -> event.startsWith("checkpoint")).count();
  }

  /** By kind how often something else than reading on happened. */
  Map<String, Long> happened() {
    return Map.of(
        "restored to the last checkpoint", count("restored"),
        "started without state", count("without"),
        "all changes shuffled and some repeated", count("shuffled"));
  }

  private long count(String kind) {
    return story.stream().filter(event -> event.startsWith(kind)).count();
  }

  /** What happened, for a message. */
  @Override
  public String toString() {
    return String.join(", ", story);
  }
}
