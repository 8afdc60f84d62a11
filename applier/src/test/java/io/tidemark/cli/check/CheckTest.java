package io.tidemark.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.SourceOffset;
import io.tidemark.change.TopicPartition;
import io.tidemark.cli.check.KafkaView.OffsetRange;
import io.tidemark.commit.BatchStats;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.CommitRefusedException;
import io.tidemark.commit.ForeignWriteException;
import io.tidemark.commit.Progress;
import io.tidemark.commit.UnavailableException;
import io.tidemark.config.Settings;
import io.tidemark.debezium.RawRecord;
import io.tidemark.iceberg.TableFacts;
import io.tidemark.iceberg.TableState;
import io.tidemark.row.Column;
import io.tidemark.row.ColumnType;
import io.tidemark.row.RowShape;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CheckTest {
  private static final String TYPED =
      "routes: [{topics: '.*', key: [id], columns: {id: long, name: string}}]\n";
  private static final RowShape SHAPE =
      new RowShape(
          List.of(
              new Column("id", ColumnType.Simple.LONG, true),
              new Column("name", ColumnType.Simple.STRING, false)));
  private static final String CREATED =
      """
      {"op":"c","before":null,"after":{"id":1,"name":"private"},"source":{"connector":"postgresql",\
      "db":"shop","schema":"public","table":"orders","snapshot":"false","ts_ms":1,"ts_us":1000,\
      "lsn":24,"sequence":"[\\"16\\",\\"24\\"]"}}\
      """;

  private final InMemoryKafka kafka = new InMemoryKafka();
  private final InMemoryCatalog catalog = new InMemoryCatalog();

  @Test
  void allIsWell() {
    kafka.with("shop.orders", 1).with("other", 5).records.add(record(0, CREATED));
    catalog.state = TableState.HAS_RECORD;
    catalog.shape = SHAPE;
    catalog.record = recordAt(1);
    assertThat(check(TYPED))
        .isEqualTo(
            """
            ok    config     job shop, 1 route
            ok    broker     localhost:9092, 2 topics
            ok    topics     shop.orders, 1 partition, into table shop.orders
            ok    catalog    lake (hadoop), 1 table
            ok    records    the first 1 of topic shop.orders can be decoded, 2 columns
            ok    table      shop.orders goes on from commit c1
            ok    offsets    Kafka has all that follows the table's record
            Ready to run, 0 warnings.
            """);
  }

  @Test
  void aTableKeepsThePartitioningThatItHas() {
    kafka.with("shop.orders", 1).records.add(record(0, CREATED));
    catalog.state = TableState.HAS_RECORD;
    catalog.shape = SHAPE;
    catalog.record = recordAt(1);
    catalog.facts =
        new TableFacts(2, Map.of(0, "bucket(4, id)"), 0, null, null, null, null, null, 0);
    assertThat(check(TYPED.replace("key:", "partition: ['bucket(16, id)'], key:")))
        .contains(
            "warn  table      shop.orders has the partitioning bucket(4, id), the route says"
                + " bucket(16, id)",
            "-> a table that exists keeps its own: correct routes.partition, or change the"
                + " table's");
    assertThat(check(TYPED.replace("key:", "partition: ['bucket(4, id)'], key:")))
        .contains("Ready to run, 0 warnings.");
  }

  @Test
  void columnsThatNobodyHasAreNamed() {
    kafka.with("shop.orders", 1).records.add(record(0, CREATED));
    catalog.state = TableState.HAS_RECORD;
    catalog.shape = SHAPE;
    catalog.record = recordAt(1);
    assertThat(check(TYPED.replace("columns: {", "columns: {nmae: string, ")))
        .contains(
            """
            warn  records    routes.columns names nmae, which neither the messages nor the table have
                             -> did you mean name?
            """);
  }

  @Test
  void topicsThatAreNotThereAreNamed() {
    kafka.with("shop_orders", 1);
    String named = MINIMAL.replace("shop\\..*", "[shop-orders, x]");

    assertThat(check(Settings.parse(named, Map.of())))
        .contains(
            """
            FAIL  topics     kafka.topics names shop-orders, which the cluster does not have
                             -> did you mean shop_orders?
            FAIL  topics     kafka.topics names x, which the cluster does not have
                             -> create it, correct kafka.topics, or grant Describe: Kafka hides what a login may not see
            """);
    assertThat(check(""))
        .contains(
            """
            FAIL  topics     kafka.topics is shop\\..*, which matches none of the 1 topic: shop_orders
                             -> correct kafka.topics: the expression must match the whole name
            """);
  }

  @Test
  void moreThanOneTableIsRefused() {
    kafka.with("shop.a", 1).with("shop.b", 1);

    assertThat(check(""))
        .contains(
            "FAIL  topics     kafka.topics gives 2 tables: shop.a -> shop.a, shop.b -> shop.b",
            "-> name one topic in kafka.topics and run one job for each");
    assertThat(check("routes: [{topics: '.*', table: x.y}]\n"))
        .contains("FAIL  topics     routes: topics shop.a and shop.b both go into table x.y");
  }

  @Test
  void compactedTopicsAreRefusedUnlessAllowed() {
    kafka.with("shop.orders", 1).configs.get("shop.orders").put("cleanup.policy", "compact,delete");

    assertThat(check(""))
        .contains(
            "FAIL  topics     topic shop.orders has cleanup.policy=compact,delete, expected delete",
            "kafka.allow-compacted: true");
    String allowed = MINIMAL.replace("kafka:", "kafka:\n  allow-compacted: true");
    assertThat(check(Settings.parse(allowed, Map.of())))
        .contains("warn  topics     topic shop.orders has cleanup.policy=compact,delete");
  }

  @Test
  void aDeadLetterTopicThatIsNotThereIsAWarning() {
    kafka.with("shop.orders", 1);

    assertThat(check("errors: {policy: dead-letter, topic: dead}\n"))
        .contains("warn  topics     errors.topic is dead, which the cluster does not have");
  }

  @Test
  void recordsThatCannotBeDecodedAreNamedByTheirOffset() {
    kafka.with("shop.orders", 2);
    kafka.records.add(record(0, CREATED));
    kafka.records.add(record(1, CREATED.replace("\"op\":\"c\"", "\"op\":\"z\"")));

    assertThat(check(TYPED))
        .contains("FAIL  records    topic shop.orders, partition 0, offset 1: ", "1 failed")
        .doesNotContain("private");
    assertThat(check(TYPED + "errors: {policy: skip}\n"))
        .contains("warn  records    topic shop.orders, partition 0, offset 1: ");
  }

  @Test
  void messagesOfAnotherFormatAreNamedWithTheFormatToSet() {
    String skip = TYPED + "errors: {policy: skip}\n";
    kafka.with("shop.orders", 1).records.add(record(0, "{\"id\":1,\"name\":\"private\"}"));
    assertThat(check(skip))
        .contains(
            "set kafka.format to debezium-json-flat",
            "FAIL  records    none of the first 1 of topic shop.orders can be decoded")
        .doesNotContain("private");

    kafka.records.set(0, record(0, "\0\0\0\0\1"));
    assertThat(check(skip)).contains("set kafka.format to debezium-avro", "none of the first 1");

    kafka.records.set(0, record(0, CREATED));
    String flat = MINIMAL.replace("kafka:", "kafka:\n  format: debezium-json-flat") + skip;
    assertThat(check(Settings.parse(flat, Map.of())))
        .contains("set kafka.format to debezium-json or", "none of the first 1")
        .doesNotContain("private");
  }

  @Test
  void unknownColumnsOfAnAbsentTableAreRefused() {
    kafka.with("shop.orders", 1).records.add(record(0, CREATED));

    assertThat(check(""))
        .contains(
            "warn  records    topic shop.orders, partition 0, offset 0: the message has no schema",
            "FAIL  table      shop.orders does not exist, and neither messages nor configuration"
                + " tell its columns");
  }

  @Test
  void theTableTellsTheColumnsOfMessagesWithoutSchema() {
    kafka.with("shop.orders", 1).records.add(record(0, CREATED));
    catalog.state = TableState.EMPTY;
    catalog.shape = SHAPE;
    catalog.columns = "{\"id\": \"long\", \"name\": \"string\"}";

    assertThat(check(""))
        .contains("ok    records    the first 1 of topic shop.orders can be decoded, 2 columns");
    catalog.columns = "{\"id\": \"no such type\"}";
    assertThat(check(""))
        .contains("FAIL  records    table shop.orders: its property tidemark.columns is not what");
  }

  @Test
  void theMessageKeyTellsTheKeyOfConfiguredColumns() {
    kafka.with("shop.orders", 1).records.add(record(0, CREATED));

    assertThat(check(TYPED.replace("key: [id], ", "")))
        .contains("ok    table      shop.orders does not exist: the run creates it with 2 columns");
  }

  @Test
  void aPartitionThatCannotBeIsRefused() {
    kafka.with("shop.orders", 1).records.add(record(0, CREATED));

    assertThat(check(TYPED.replace("key:", "partition: ['day(name)'], key:")))
        .contains("FAIL  table      routes.partition: ");
  }

  @Test
  void anEmptyTopicIsAWarning() {
    kafka.with("shop.orders", 0);

    assertThat(check(TYPED))
        .contains("warn  records    topic shop.orders has no records to look at");
  }

  @Test
  void anotherVersionSchemeIsRefused() {
    kafka.with("shop.orders", 1).records.add(record(0, CREATED));
    catalog.state = TableState.EMPTY;
    catalog.shape = SHAPE;
    catalog.scheme = "kafka-offset";

    assertThat(check(TYPED))
        .contains(
            "ok    table      shop.orders exists and has no snapshot",
            "FAIL  table      shop.orders was created with version: kafka-offset, the route says"
                + " auto");
  }

  @Test
  void aTableThatDoesNotFitIsRefusedWithEveryMismatch() {
    kafka.with("shop.orders", 1).records.add(record(0, CREATED));
    catalog.state = TableState.EMPTY;
    catalog.shape = SHAPE;
    catalog.mismatches = List.of("column a is missing", "column b is int, expected long");

    assertThat(check(TYPED))
        .contains(
            "FAIL  table      shop.orders: column a is missing",
            "FAIL  table      shop.orders: column b is int, expected long",
            "2 failed");
  }

  @Test
  void rowsOfSomebodyElseAreRefused() {
    kafka.with("shop.orders", 1);
    catalog.state = TableState.ROWS_WITHOUT_RECORD;

    assertThat(check(TYPED))
        .contains(
            "FAIL  table      shop.orders has rows that Tidemark did not write, and no record",
            "FAIL  table      shop.orders: it has no identifier field");
    catalog.state = TableState.HAS_RECORD;
    catalog.shape = SHAPE;
    catalog.foreign = new ForeignWriteException("snapshot 7 is somebody else's");
    assertThat(check(TYPED)).contains("FAIL  table      snapshot 7 is somebody else's");
    catalog.foreign = null;
    catalog.record = recordAt(4);
    catalog.gone = new CommitRefusedException("snapshot 8 was expired");
    assertThat(check(TYPED)).contains("FAIL  table      snapshot 8 was expired");
  }

  @Test
  void recordedOffsetsThatKafkaDoesNotHaveAreGaps() {
    kafka.with("shop.orders", 9);
    catalog.state = TableState.HAS_RECORD;
    catalog.shape = SHAPE;
    catalog.record = recordAt(4);
    kafka.ranges.put(new TopicPartition("shop.orders", 0), new OffsetRange(5, 9));
    assertThat(check(TYPED))
        .contains("FAIL  offsets ", "needs shop.orders-0 from offset 4, and Kafka's oldest is 5");
    kafka.ranges.put(new TopicPartition("shop.orders", 0), new OffsetRange(0, 3));
    assertThat(check(TYPED)).contains("from offset 4, and Kafka ends at 3");
    kafka.ranges.clear();
    assertThat(check(TYPED)).contains("from offset 4, and Kafka has no such partition");
    kafka.ranges.put(new TopicPartition("shop.orders", 0), new OffsetRange(4, 4));
    assertThat(check(TYPED)).contains("ok    offsets ");
    kafka.ranges.put(new TopicPartition("shop.orders", 1), new OffsetRange(3, 9));
    assertThat(check(TYPED)).contains("needs shop.orders-1 from offset 0, and Kafka's oldest is 3");
  }

  @Test
  void aTopicThatWasCreatedAnewIsNamedWithBothIds() {
    kafka.with("shop.orders", 9);
    catalog.state = TableState.HAS_RECORD;
    catalog.shape = SHAPE;
    CommitRecord known = recordAt(4);
    catalog.record =
        new CommitRecord(
            known.commitId(),
            known.parent(),
            known.incarnation(),
            known.checkpoint(),
            new Progress(
                known.progress().partitions(), Map.of("shop.orders", "its old id"), Set.of()),
            known.stats(),
            null,
            null,
            Map.of());

    assertThat(check(TYPED))
        .contains(
            "FAIL  offsets    Topic shop.orders has the id id of shop.orders, the table's record"
                + " names its old id: the topic was deleted and created anew")
        .contains(
            "-> correct kafka.bootstrap.servers; or begin an epoch with the topic (./tidemark epoch"
                + " -c FILE --begin shop.orders:0=0 --all), or name a new table in the route")
        .doesNotContain("Kafka has all that follows");
  }

  @Test
  void whatIsAwayDoesNotHideTheRest() {
    catalog.state = TableState.EMPTY;
    String checked =
        check(
            Settings.parse(MINIMAL, Map.of()),
            () -> {
              throw new UnavailableException("broker away", new IllegalStateException());
            });

    assertThat(checked)
        .isEqualTo(
            """
            ok    config     job shop, 0 routes
            FAIL  broker     broker away
                             -> start Kafka, or correct kafka.bootstrap.servers, kafka.properties or the login's rights
            ok    catalog    lake (hadoop), 1 table
            1 failed, 0 warnings.
            """);
  }

  private static final String MINIMAL =
      """
      name: shop
      kafka:
        bootstrap.servers: localhost:9092
        topics: shop\\..*
      catalog: {name: lake, properties: {type: hadoop, warehouse: 'file:///tmp/lake'}}
      """;

  private String check(String more) {
    return check(Settings.parse(MINIMAL + more, Map.of()));
  }

  private String check(Settings settings) {
    return check(settings, () -> kafka);
  }

  private String check(Settings settings, java.util.function.Supplier<KafkaView> brokers) {
    StringWriter out = new StringWriter();
    CheckReport report = new CheckReport(new PrintWriter(out), text -> text);
    new Check(settings, report).run(brokers, () -> catalog);
    return out.toString().replace(System.lineSeparator(), "\n") + report.summary() + "\n";
  }

  private static RawRecord record(long offset, String value) {
    return new RawRecord(
        new SourceOffset("shop.orders", 0, offset),
        0,
        "{\"id\":1}".getBytes(StandardCharsets.UTF_8),
        value.getBytes(StandardCharsets.UTF_8),
        Map.of());
  }

  private static CommitRecord recordAt(long next) {
    return new CommitRecord(
        "c1",
        null,
        "job",
        1,
        new Progress(
            Map.of(
                new TopicPartition("shop.orders", 0),
                PartitionProgress.startingAt(0).skippingTo(next))),
        BatchStats.NONE,
        null,
        null,
        Map.of());
  }
}
