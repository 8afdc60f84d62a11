package io.tidemark.debezium;

import static io.tidemark.debezium.Events.envelope;
import static io.tidemark.debezium.Events.record;

import io.tidemark.corpus.Corpus;
import io.tidemark.debezium.Unwrap.DeleteHandling;
import io.tidemark.debezium.avro.FlatAvro;
import io.tidemark.debezium.avro.InMemoryAvro;
import io.tidemark.debezium.format.JsonFormat;
import io.tidemark.debezium.format.MessageFormat;
import io.tidemark.debezium.version.VersionScheme;
import io.tidemark.row.RowShape;
import io.tidemark.row.RowWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Messages that are damaged, how they are read, and how many damaged ones are made of each. A
 * damaged schema is read as a whole, which takes long: fewer of those.
 */
public enum DamagedLog {
  TYPES("pg-types", "ty.all_types", "pg-types-schemas", 22_000),
  TYPES_SCHEMAS("pg-types-schemas", "ty.all_types", "pg-types-schemas", 6_000),
  TEXT_DECIMALS(RecordedTable.TEXT_DECIMALS, false, 6_000),
  NOT_A_NUMBER(RecordedTable.NOT_A_NUMBER, false, 10_000),
  CHANGED_COLUMNS(RecordedTable.CHANGED_COLUMNS, false, 6_000),
  ORDERS("pg-basic", "shop.orders", "pg-basic-schemas", 24_000),
  ORDERS_SCHEMAS("pg-basic-schemas", "shop.orders", "pg-basic-schemas", 10_000),
  AVRO("pg-basic-avro", "shop.orders", "pg-basic-avro", 52_000),
  FLAT("pg-unwrap-default", "shop.orders", "pg-basic-schemas", 20_000),
  FLAT_REWRITTEN("pg-unwrap-rewrite", "shop.orders", "pg-basic-schemas", 24_000),
  /** Binlog positions, and every type that MariaDB has. */
  MARIADB(RecordedTable.MARIADB_TYPES, false, 12_000),
  /** Deletes whose {@code before} is read. */
  WHOLE_BEFORE(RecordedTable.CHOSEN_KEY_FULL, true, 8_000),
  /** The recording's rows, as a converter with another schema would have written them. */
  FLAT_AVRO("pg-unwrap-rewrite", "shop.orders", "pg-basic-avro", 10_000),
  MONGODB("mongodb", 2_000),
  SQL_SERVER("sqlserver", 1_000),
  ORACLE("oracle", 1_000),
  DB2("db2", 1_000),
  VITESS("vitess", 1_000);

  private static final String[] COLUMNS = {
    "id*: long", "name: string", "price: decimal(9, 2)", "at: timestamp(micros)"
  };

  private final @Nullable String corpus;
  private final String table;
  private final String schemasFrom;
  private final @Nullable RecordedTable recorded;
  private final boolean wholeBefore;
  private final int mutations;

  DamagedLog(String corpus, String table, String schemasFrom, int mutations) {
    this.corpus = corpus;
    this.table = table;
    this.schemasFrom = schemasFrom;
    this.recorded = null;
    this.wholeBefore = false;
    this.mutations = mutations;
  }

  DamagedLog(RecordedTable recorded, boolean wholeBefore, int mutations) {
    this.corpus = null;
    this.table = "";
    this.schemasFrom = "";
    this.recorded = recorded;
    this.wholeBefore = wholeBefore;
    this.mutations = mutations;
  }

  /** Envelopes of a connector that no recording is of, after its documentation. */
  DamagedLog(String connector, int mutations) {
    this.corpus = null;
    this.table = connector;
    this.schemasFrom = "";
    this.recorded = null;
    this.wholeBefore = false;
    this.mutations = mutations;
  }

  /** How many damaged messages are made of it. */
  public int mutations() {
    return mutations;
  }

  /** Whether its messages are those that a connector wrote, byte by byte. */
  boolean isRecorded() {
    return this != FLAT_AVRO && (recorded != null || corpus != null);
  }

  /** Whole messages, to be damaged. */
  List<RawRecord> records() {
    if (recorded != null) {
      return recorded.records();
    }
    if (corpus == null) {
      return made();
    }
    List<RawRecord> records = of(corpus);
    return this == FLAT_AVRO ? records.stream().map(flatAvro()::write).toList() : records;
  }

  private List<RawRecord> of(String name) {
    return Corpus.load(name).of("src." + table);
  }

  private FlatAvro flatAvro() {
    return new FlatAvro(Corpus.schemas("pg-basic-avro"), of("pg-unwrap-rewrite").get(0));
  }

  private MessageFormat format() {
    return switch (this) {
      case AVRO -> new InMemoryAvro(Corpus.schemas("pg-basic-avro"));
      case FLAT_AVRO -> flatAvro().format();
      default -> new JsonFormat();
    };
  }

  private @Nullable Unwrap unwrap() {
    return switch (this) {
      case FLAT -> Unwrap.DEFAULTS;
      case FLAT_REWRITTEN, FLAT_AVRO ->
          new Unwrap(DeleteHandling.REWRITE, List.of(), "__", List.of(), "__");
      default -> null;
    };
  }

  /** What reads a table's columns from a message. */
  ShapeReader shapes() {
    return new ShapeReader(List.of(), Map.of(), format(), unwrap());
  }

  ChangeDecoder decoder(Function<RowShape, RowWriter> writers) {
    if (recorded != null) {
      return recorded.decoder(wholeBefore, writers);
    }
    DecoderSettings nulls = DecoderSettings.DEFAULTS.withOnUnrepresentable(OnUnrepresentable.NULL);
    if (corpus == null) {
      String[] columns =
          this == MONGODB ? new String[] {"_id*: string", "document: string"} : COLUMNS;
      RowShape shape = Events.shape(columns);
      return new EnvelopeDecoder(
          shape, nulls.withEncodings(Events.encodings(columns)), writers.apply(shape));
    }
    MessageFormat enveloped =
        schemasFrom.equals("pg-basic-avro")
            ? new InMemoryAvro(Corpus.schemas(schemasFrom))
            : new JsonFormat();
    ShapeResult.Discovered found =
        (ShapeResult.Discovered)
            new ShapeReader(List.of(), Map.of(), enveloped, null).read(of(schemasFrom).get(0));
    return ChangeDecoder.of(
        found.shape(),
        nulls
            .withEncodings(found.encodings())
            .withFormat(format(), unwrap())
            .withVersion(this == FLAT ? new VersionScheme.KafkaOffset() : new VersionScheme.Auto()),
        writers.apply(found.shape()));
  }

  private List<RawRecord> made() {
    List<RawRecord> records = new ArrayList<>();
    for (int i = 1; i < 20; i++) {
      String op = List.of("c", "u", "d", "r").get(i % 4);
      String source = source(i).replace('\'', '"');
      boolean mongo = this == MONGODB;
      String row =
          mongo
              ? "\"{\\\"_id\\\": {\\\"$numberLong\\\": \\\"%d\\\"},\\\"a\\\": [1, null]}\""
                  .formatted(i)
              : "{\"id\":%d,\"name\":\"n%d\",\"price\":\"ANw=\",\"at\":17000000001234%d}"
                  .formatted(i, i, 10 + i);
      String value = envelope(op, op.equals("d") ? "null" : row, source);
      records.add(
          record(
              mongo ? "{\"id\":\"%d\"}".formatted(i) : "{\"id\":%d}".formatted(i),
              value.replace("\"op\":", "\"transaction\":" + transaction(i) + ",\"op\":")));
    }
    return records;
  }

  private String source(int i) {
    String position =
        switch (this) {
          case MONGODB -> "'rs':'rs0','collection':'c','ord':%d,'lsid':null,'wallTime':7";
          case SQL_SERVER ->
              "'change_lsn':'00000027:00000758:0003','commit_lsn':'00000027:00000ac0:%04d',"
                  + "'event_serial_no':1";
          case ORACLE -> "'scn':'998','commit_scn':'10%02d','txSeq':1,'ssn':0,'txId':'0a001b00'";
          case DB2 ->
              "'change_lsn':'00000000:00000000:0000000000000001',"
                  + "'commit_lsn':'00000000:00000001:%016d'";
          default -> "'keyspace':'k','shard':'%d-'";
        };
    return "{'version':'3.6.1.Final','connector':'%s','name':'s','ts_us':7000000,'snapshot':'%s',"
            .formatted(table, i % 4 == 3 ? "true" : "false")
        + position.formatted(i)
        + "}";
  }

  private String transaction(int i) {
    return this == VITESS
        ? ("{\"id\":\"x\",\"transaction_epoch\":0,\"transaction_rank\":\"%d\",\"total_order\":1,"
                + "\"data_collection_order\":1}")
            .formatted(i)
        : "null";
  }
}
