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
import io.tidemark.flink.Decoder;
import io.tidemark.merge.Gate;
import io.tidemark.merge.MarkStore;
import io.tidemark.merge.Winner;
import io.tidemark.oracle.Offsets;
import io.tidemark.oracle.Oracle;
import io.tidemark.oracle.OracleChange;
import io.tidemark.oracle.OracleOptions;
import io.tidemark.oracle.OracleRow;
import io.tidemark.oracle.OracleTable;
import io.tidemark.oracle.OracleVersion;
import io.tidemark.oracle.RawLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;

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
  private Map<Integer, Long> next = new TreeMap<>();
  private final List<List<Winner>> closed = new ArrayList<>();
  private final List<String> story = new ArrayList<>();
  private Gate gate;
  private boolean inOrder = true;

  /** A log, read once by the oracle for all cases. */
  static final class Prepared {
    private final LogRecords records;
    private final Decoder decoder;
    private final RowView view;
    private final Oracle oracle;
    private final Offsets end;
    private final Map<String, OracleChange> changes = new HashMap<>();
    private final Map<Map<Integer, Long>, OracleTable> folds = new HashMap<>();

    Prepared(RawLog log) {
      records = LogRecords.of(log);
      decoder = LogRecords.decoders(records.shape()).open();
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
      gate.offer(change);
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
    gate = new Gate(store(), log.view::placement, random.nextBoolean() ? 900 : 1 << 20, null);
  }

  private List<Winner> flushed() {
    try {
      return gate.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
      decode(records.get(next.get(partition).intValue()), partition).forEach(gate::offer);
      next.merge(partition, 1L, Long::sum);
      if (gate.isFull()) {
        closed.add(flushed());
      }
    }
  }

  private List<Change> decode(RawRecord record, int partition) {
    PartitionLedger ledger = ledgers.get(partition);
    DecodeResult result = log.decoder.decode(record);
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
          decoded.key(), decoded.kind(), version, decoded.sourceTimeMicros(), decoded.row());
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
    table.compare(log.fold(recorded), log.view, inOrder);
  }

  /**
   * With the state of the last checkpoint, or with what the table has, from there or from below.
   */
  private void restart() {
    boolean withState = random.nextBoolean();
    boolean fromBelow = !withState && random.nextBoolean();
    marks = withState ? new HashMap<>(savedMarks) : table.marks(log.view);
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

  /** What an Iceberg table and its tombstones would hold: rows by the place where they lie. */
  private static final class ModelTable {
    private final Map<PrimaryKey, Map<String, Change>> rows = new HashMap<>();
    private final Map<PrimaryKey, CommitVersion> tombstones = new HashMap<>();
    private final Map<PrimaryKey, Map<String, Object>> names = new HashMap<>();
    private final Map<PrimaryKey, CommitVersion> highest = new HashMap<>();

    private void names(PrimaryKey key, Map<String, Object> name) {
      if (name == null) {
        throw new AssertionError("The oracle has no change where the decoder has one of " + key);
      }
      names.put(key, name);
    }

    private void take(Winner winner, RowView view) {
      Change change = winner.change();
      CommitVersion before = highest.put(change.key(), change.version());
      if (before != null && before.compareTo(change.version()) > 0) {
        throw new AssertionError("I4, I5: " + names.get(change.key()) + " went back");
      }
      Map<String, Change> places = rows.computeIfAbsent(change.key(), key -> new HashMap<>());
      byte[] replaced = winner.replaced();
      if (replaced != null) {
        places.remove(RowView.text(replaced));
      }
      if (change.kind() == Kind.DELETE) {
        tombstones.put(change.key(), change.version());
      } else {
        Change other = places.put(view.place(change), change);
        if (other != null || places.size() > 1) {
          throw new AssertionError("I3: " + names.get(change.key()) + " has two live rows");
        }
      }
    }

    /** As a start without state reads them: the content of a row is not known. */
    private Map<PrimaryKey, Mark> marks(RowView view) {
      Map<PrimaryKey, Mark> marks = new HashMap<>();
      tombstones.forEach((key, version) -> marks.put(key, Mark.deleted(version, Mark.NEVER)));
      rows.forEach(
          (key, places) ->
              places
                  .values()
                  .forEach(
                      row ->
                          marks.merge(
                              key,
                              new Mark(
                                  row.version(),
                                  Kind.UPSERT,
                                  Change.UNKNOWN_CONTENT,
                                  view.placement(row.row())),
                              (a, b) -> a.version().compareTo(b.version()) >= 0 ? a : b)));
      return marks;
    }

    private void compare(OracleTable expected, RowView view, boolean inOrder) {
      Map<Map<String, Object>, OracleRow> missing = new HashMap<>(expected.live());
      rows.forEach(
          (key, places) ->
              places
                  .values()
                  .forEach(
                      row -> {
                        OracleRow wanted = missing.remove(names.get(key));
                        if (wanted == null) {
                          throw new AssertionError("I1, I2: " + names.get(key) + " is too much");
                        }
                        same(wanted, row, view, inOrder);
                      }));
      if (!missing.isEmpty()) {
        throw new AssertionError("I1, I2: missing " + missing.keySet());
      }
      Map<Map<String, Object>, CommitVersion> buried = new HashMap<>();
      tombstones.forEach((key, version) -> buried.put(names.get(key), version));
      expected
          .deleted()
          .forEach(
              (key, row) -> {
                CommitVersion version = buried.get(key);
                if (version == null || !allows(row, version, inOrder)) {
                  throw new AssertionError("I5: " + key + " has the tombstone " + version);
                }
              });
    }

    private static boolean allows(OracleRow wanted, CommitVersion version, boolean inOrder) {
      OracleVersion shown = OracleVersion.parse(version.toText());
      return inOrder ? wanted.allows(shown) : wanted.version().ties(shown);
    }

    private static void same(OracleRow wanted, Change row, RowView view, boolean inOrder) {
      Map<String, Object> content = view.content(row.row());
      if (!allows(wanted, row.version(), inOrder)
          || !Objects.requireNonNull(wanted.row()).entrySet().containsAll(content.entrySet())) {
        throw new AssertionError(
            "I1, I2: expected " + wanted + ", is " + row.version().toText() + " " + content);
      }
    }
  }
}
