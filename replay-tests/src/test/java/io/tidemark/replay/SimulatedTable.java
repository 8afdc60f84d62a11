package io.tidemark.replay;

import io.tidemark.change.SourceOffset;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.NewEpoch;
import io.tidemark.commit.StartOffsets;
import io.tidemark.commit.TableLedger;
import io.tidemark.config.CatalogSettings;
import io.tidemark.debezium.DecoderSettings;
import io.tidemark.debezium.EnvelopeDecoder;
import io.tidemark.debezium.RawRecord;
import io.tidemark.debezium.ShapeReader;
import io.tidemark.debezium.ShapeResult;
import io.tidemark.flink.Decoder;
import io.tidemark.flink.row.BinaryRowEncoder;
import io.tidemark.iceberg.IcebergLedgerFactory;
import io.tidemark.iceberg.IcebergTables;
import io.tidemark.iceberg.TableDefinition;
import io.tidemark.iceberg.TableDescription;
import io.tidemark.job.EpochBeginning;
import io.tidemark.oracle.Epochs;
import io.tidemark.oracle.Offsets;
import io.tidemark.oracle.Oracle;
import io.tidemark.oracle.OracleOptions;
import io.tidemark.oracle.RawEvent;
import io.tidemark.oracle.RawLog;
import io.tidemark.oracle.TableCheck;
import io.tidemark.oracle.TombstoneCheck;
import io.tidemark.row.RowShape;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.jspecify.annotations.Nullable;

/** A topic's log and the real table that a simulated job makes of it. */
final class SimulatedTable {

  static final String NAME = "shop.orders";

  private final CatalogSettings catalog;
  private RawLog log;
  private final Map<Integer, List<RawRecord>> partitions = new TreeMap<>();
  private final TableDescription description;
  private @Nullable Table opened;

  /**
   * Creates the table.
   *
   * @param partitioning such as {@code bucket(4, id)}
   */
  SimulatedTable(CatalogSettings catalog, RawLog log, List<String> partitioning) {
    this.catalog = catalog;
    this.log = log;
    take(log);
    try (IcebergTables tables = IcebergTables.open(catalog)) {
      description =
          tables.ensure(new TableDefinition(NAME, shape(), partitioning, Map.of(), "auto", "{}"));
    }
  }

  private void take(RawLog part) {
    for (RawEvent event : part.events()) {
      partitions.computeIfAbsent(event.partition(), p -> new ArrayList<>()).add(record(event));
    }
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
    partitions.forEach(
        (p, records) ->
            ranges.put(new TopicPartition(topic(), p), new StartOffsets.Range(0, records.size())));
    EpochBeginning.commit(
        () -> ledgers().open(failures -> failures < 5),
        record,
        NewEpoch.of(epoch, record.progress(), null, ranges));
    List<RawEvent> all = new ArrayList<>(log.events());
    all.addAll(more.events());
    log = RawLog.of(all);
    take(more);
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

  /** By partition the records, in order. */
  Map<Integer, List<RawRecord>> partitions() {
    return partitions;
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

  /** The decoders that the job would use. */
  Decoder.Factory decoders() {
    RowShape shape = rows();
    return () -> {
      EnvelopeDecoder decoder =
          new EnvelopeDecoder(shape, DecoderSettings.DEFAULTS, new BinaryRowEncoder(shape));
      return decoder::decode;
    };
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
    Oracle oracle = new Oracle(OracleOptions.DEFAULT, log, Offsets.NONE, epochs);
    Table table = open();
    List<String> problems = new ArrayList<>(TableCheck.of(table, oracle, log.end()).problems());
    problems.addAll(TombstoneCheck.of(table, load(NAME + "__tombstones"), oracle));
    return problems;
  }

  private Table load(String name) {
    return CatalogUtil.buildIcebergCatalog(
            catalog.name(), catalog.properties(), new Configuration())
        .loadTable(TableIdentifier.parse(name));
  }

  private RowShape shape() {
    ShapeReader reader = new ShapeReader(List.of(), Map.of());
    for (List<RawRecord> records : partitions.values()) {
      for (RawRecord record : records) {
        if (reader.read(record) instanceof ShapeResult.Discovered found) {
          return found.shape();
        }
      }
    }
    throw new IllegalStateException("No record has a schema");
  }

  private static RawRecord record(RawEvent event) {
    Map<String, byte[]> headers = new HashMap<>();
    event.headers().forEach((name, value) -> headers.put(name, utf8(value)));
    return new RawRecord(
        new SourceOffset(event.topic(), event.partition(), event.offset()),
        0,
        event.key(),
        event.value(),
        headers);
  }

  private static byte @Nullable [] utf8(@Nullable String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }
}
