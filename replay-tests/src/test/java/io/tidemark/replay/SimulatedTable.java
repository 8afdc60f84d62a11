package io.tidemark.replay;

import io.tidemark.change.SourceOffset;
import io.tidemark.commit.Retention;
import io.tidemark.config.CatalogSettings;
import io.tidemark.debezium.DecoderSettings;
import io.tidemark.debezium.EnvelopeDecoder;
import io.tidemark.debezium.RawRecord;
import io.tidemark.debezium.ShapeReader;
import io.tidemark.debezium.ShapeResult;
import io.tidemark.flink.DeadLetter;
import io.tidemark.flink.Decoder;
import io.tidemark.flink.row.BinaryRowEncoder;
import io.tidemark.iceberg.IcebergLedgerFactory;
import io.tidemark.iceberg.IcebergTables;
import io.tidemark.iceberg.TableDefinition;
import io.tidemark.iceberg.TableDescription;
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
  private final RawLog log;
  private final Map<Integer, List<RawRecord>> partitions = new TreeMap<>();
  private final TableDescription description;
  private final Retention retention;
  private @Nullable Table opened;
  private int putAside;

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
    this.retention = retention;
    this.catalog = catalog;
    this.log = log;
    for (RawEvent event : log.events()) {
      partitions.computeIfAbsent(event.partition(), p -> new ArrayList<>()).add(record(event));
    }
    try (IcebergTables tables = IcebergTables.open(catalog)) {
      description =
          tables.ensure(new TableDefinition(NAME, shape(), partitioning, Map.of(), "auto", "{}"));
    }
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
    return new IcebergLedgerFactory(catalog, NAME, description.version(), false);
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
    Oracle oracle = new Oracle(OracleOptions.DEFAULT, log, Offsets.NONE);
    Table table = open();
    List<String> problems = new ArrayList<>(TableCheck.of(table, oracle, log.end()).problems());
    problems.addAll(TombstoneCheck.of(table, load(NAME + "__tombstones"), oracle));
    problems.addAll(TombstoneCheck.ofHorizon(table, oracle, retention.days()));
    return problems;
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
