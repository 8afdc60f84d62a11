package io.tidemark.replay;

import io.tidemark.change.TopicPartition;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.NewEpoch;
import io.tidemark.commit.Retention;
import io.tidemark.commit.StartOffsets;
import io.tidemark.commit.TableLedger;
import io.tidemark.config.CatalogSettings;
import io.tidemark.debezium.RawRecord;
import io.tidemark.flink.DeadLetter;
import io.tidemark.flink.Decoder;
import io.tidemark.iceberg.IcebergLedgerFactory;
import io.tidemark.iceberg.IcebergTables;
import io.tidemark.iceberg.TableDefinition;
import io.tidemark.iceberg.TableDescription;
import io.tidemark.job.EpochBeginning;
import io.tidemark.oracle.Epochs;
import io.tidemark.oracle.Gaps;
import io.tidemark.oracle.Offsets;
import io.tidemark.oracle.Oracle;
import io.tidemark.oracle.OracleOptions;
import io.tidemark.oracle.RawEvent;
import io.tidemark.oracle.RawLog;
import io.tidemark.oracle.TableCheck;
import io.tidemark.oracle.TableReport;
import io.tidemark.oracle.TombstoneCheck;
import io.tidemark.row.RowShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.jspecify.annotations.Nullable;

/** A topic's log and the real table that a simulated job makes of it. */
final class SimulatedTable {

  static final String NAME = "shop.orders";

  private final CatalogSettings catalog;
  private final OracleOptions options;
  private final Offsets origin;
  private RawLog log;
  private LogRecords records;
  private Decoder.@Nullable Factory decoders;
  private final TableDescription description;
  private final Retention retention;
  private @Nullable Table opened;
  private int putAside;
  private @Nullable TableReport report;
  private long keys;

  /**
   * Creates the table.
   *
   * @param partitioning such as {@code bucket(4, id)}
   */
  SimulatedTable(CatalogSettings catalog, RawLog log, List<String> partitioning) {
    this(catalog, log, partitioning, new Retention(30));
  }

  SimulatedTable(
      CatalogSettings catalog, RawLog log, List<String> partitioning, Retention retention) {
    this(
        catalog, log, LogRecords.of(log), partitioning, retention, OracleOptions.DEFAULT, Map.of());
  }

  private SimulatedTable(
      CatalogSettings catalog,
      RawLog log,
      LogRecords records,
      List<String> partitioning,
      Retention retention,
      OracleOptions options,
      Map<Integer, Long> origin) {
    this.retention = retention;
    this.catalog = catalog;
    this.options = options;
    this.log = log;
    this.records = records;
    this.origin = origin.isEmpty() ? Offsets.NONE : new Offsets(Map.of(topic(), origin));
    try (IcebergTables tables = IcebergTables.open(catalog)) {
      description =
          tables.ensure(
              new TableDefinition(NAME, records.shape(), partitioning, Map.of(), "auto", "{}"));
    }
  }

  /**
   * Creates a table of a recording.
   *
   * @param events the log that there is of it
   * @param origin by partition the first offset that is left of it; empty if all is
   */
  static SimulatedTable recorded(
      CatalogSettings catalog,
      CorpusTable recorded,
      List<RawEvent> events,
      Map<Integer, Long> origin) {
    RawLog log = RawLog.of(events);
    SimulatedTable table =
        new SimulatedTable(
            catalog,
            log,
            LogRecords.of(log, CorpusColumns.shape(recorded)),
            List.of(),
            new Retention(30),
            recorded.oracle(),
            origin);
    table.decoders = CorpusColumns.decoders(recorded);
    return table;
  }

  /**
   * The topic goes on with another log, whose places lie behind this one's.
   *
   * @param epoch where it begins an epoch, of which the table is told as the command does it
   */
  void goesOnWith(RawLog more, NewEpoch.Request epoch) {
    CommitRecord record;
    try (TableLedger ledger = ledgers().open(failures -> failures < 5)) {
      record = Objects.requireNonNull(ledger.last());
    }
    Map<TopicPartition, StartOffsets.Range> ranges = new TreeMap<>();
    partitions()
        .forEach(
            (p, read) ->
                ranges.put(new TopicPartition(topic(), p), new StartOffsets.Range(0, read.size())));
    EpochBeginning.commit(
        () -> ledgers().open(failures -> failures < 5),
        record,
        NewEpoch.of(epoch, record.progress(), null, ranges));
    List<RawEvent> all = new ArrayList<>(log.events());
    all.addAll(more.events());
    log = RawLog.of(all);
    records = LogRecords.of(log);
  }

  static CatalogSettings inMemory(String name) {
    SharedMemoryCatalog.forget(name);
    return new CatalogSettings(name, Map.of("catalog-impl", SharedMemoryCatalog.class.getName()));
  }

  CatalogSettings catalog() {
    return catalog;
  }

  String topic() {
    return log.events().get(0).topic();
  }

  /** The offset of a partition that the table began with. */
  long origin(int partition) {
    return origin.next(topic(), partition);
  }

  /** By partition the records, in order. */
  Map<Integer, List<RawRecord>> partitions() {
    return records.partitions();
  }

  RowShape rows() {
    return description.shape();
  }

  TableDescription description() {
    return description;
  }

  IcebergLedgerFactory ledgers() {
    return new IcebergLedgerFactory(catalog, NAME, description.version(), null);
  }

  Retention retention() {
    return retention;
  }

  /** Takes a change of an unknown key from before the horizon. */
  void putAside(DeadLetter letter) {
    if (!letter.problem().contains("before the table's horizon")) {
      throw new AssertionError(letter.problem());
    }
    putAside++;
  }

  /** How many changes of unknown keys came from before the horizon. */
  int putAside() {
    return putAside;
  }

  /** The decoders that the job would use. */
  Decoder.Factory decoders() {
    return decoders == null ? LogRecords.decoders(rows()) : decoders;
  }

  /** The table as it is now. */
  Table open() {
    if (opened == null) {
      opened = load(NAME);
    }
    opened.refresh();
    return opened;
  }

  /** What is wrong with the table and its tombstones; empty if nothing is. */
  List<String> problems() {
    return problems(Epochs.NONE);
  }

  /** The same for a table in which epochs were begun. */
  List<String> problems(Epochs epochs) {
    return problems(epochs, Gaps.NONE);
  }

  /** The same for one that lacks records because somebody accepted it. */
  List<String> problems(Epochs epochs, Gaps gaps) {
    Oracle oracle = new Oracle(options, log, origin, epochs, gaps);
    Table table = open();
    TableReport found = TableCheck.of(table, oracle, log.end());
    report = found;
    keys = oracle.keys();
    List<String> problems = new ArrayList<>(found.problems());
    problems.addAll(TombstoneCheck.of(table, load(NAME + "__tombstones"), oracle));
    problems.addAll(TombstoneCheck.ofHorizon(table, oracle, retention.days()));
    return problems;
  }

  /** The same of its current snapshot alone: what the table showed before that is expired first. */
  List<String> problemsAtTheEnd() {
    Table table = open();
    table
        .expireSnapshots()
        .expireOlderThan(table.currentSnapshot().timestampMillis() + 1)
        .retainLast(1)
        .commit();
    List<String> problems = new ArrayList<>(problems());
    problems.removeIf(problem -> problem.matches("I6 .*: parent is .*, but null was before"));
    return problems;
  }

  /** Whether the record says that a replay is under way. */
  boolean isReplayed() {
    try (TableLedger ledger = ledgers().open(failures -> failures < 5)) {
      return !Objects.requireNonNull(ledger.last()).replay().isEmpty();
    }
  }

  /** How many tombstones were dropped in all. */
  int droppedTombstones() {
    int dropped = 0;
    for (Snapshot snapshot : load(NAME + "__tombstones").snapshots()) {
      if (snapshot.operation().equals("delete")) {
        dropped += Integer.parseInt(snapshot.summary().getOrDefault("deleted-records", "0"));
      }
    }
    return dropped;
  }

  /** What {@link #problems()} looked at. */
  TableReport report() {
    return Objects.requireNonNull(report);
  }

  /** How many keys the log has; known after {@link #problems()}. */
  long keys() {
    return keys;
  }

  private Table load(String name) {
    return CatalogUtil.buildIcebergCatalog(
            catalog.name(), catalog.properties(), new Configuration())
        .loadTable(TableIdentifier.parse(name));
  }
}
