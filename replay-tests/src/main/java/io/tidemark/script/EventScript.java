package io.tidemark.script;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.oracle.RawEvent;
import io.tidemark.oracle.RawLog;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.jspecify.annotations.Nullable;

/**
 * A log of Debezium's PostgreSQL events made up from a seed: snapshots with transactions open
 * across them, transactions that run side by side, several changes of a key in one, deletes and
 * inserts again, key changes, values that the source leaves out, and the repetitions that an
 * at-least-once connector and its operators bring.
 */
public final class EventScript {

  private static final long START_MICROS = 1_700_000_000_000_000L;
  private static final String STREAMED = "false";
  private static final String CLAIMED = "true";

  private final ScriptOptions options;
  private final Random random;
  private final DebeziumJson json;
  private final ScriptedDatabase database;
  private final List<RawEvent> events = new ArrayList<>();
  private final long[] ends;
  private @Nullable Long previousCommit;
  private long micros = START_MICROS;
  private int run;

  private EventScript(ScriptOptions options) {
    this.options = options;
    this.random = new Random(options.seed());
    this.json = new DebeziumJson(options.schemas());
    this.database = new ScriptedDatabase(random, options);
    this.ends = new long[options.partitions()];
    generate();
  }

  /** Makes the log. */
  public static EventScript of(ScriptOptions options) {
    return new EventScript(options);
  }

  /** The columns, as Kafka Connect describes the fields of a struct. */
  public static JsonNode columns() {
    return DebeziumJson.FIELDS;
  }

  /** The records in the order in which they were sent, with their places in Kafka. */
  public List<RawEvent> events() {
    return Collections.unmodifiableList(events);
  }

  /** The records by partition. */
  public RawLog log() {
    return RawLog.of(events);
  }

  /**
   * The database's own answer at the end, as messages show a row. Without shuffled copies of ties
   * this is where the log leads.
   */
  public NavigableMap<Long, JsonNode> truth() {
    NavigableMap<Long, JsonNode> truth = new TreeMap<>();
    database.rows().forEach((id, row) -> truth.put(id, DebeziumJson.row(id, row)));
    return truth;
  }

  private void generate() {
    for (int i = 0; i < options.size().rows(); i++) {
      database.load();
    }
    List<ScriptedDatabase.Transaction> open = new ArrayList<>();
    int parts = options.size().resnapshots() + 1;
    for (int part = 0; part < parts; part++) {
      openAcross(open);
      snapshot();
      int restarts = options.repeated().restarts() / parts + 1;
      int streams = options.size().truncates() + 1;
      for (int i = 0; i < streams; i++) {
        if (i > 0) {
          truncate();
        }
        stream(open, options.size().transactions() / parts / streams, restarts);
      }
    }
    repeat();
  }

  /** Transactions that have written before a snapshot and commit after it. */
  private void openAcross(List<ScriptedDatabase.Transaction> open) {
    for (int i = random.nextInt(3); i > 0; i--) {
      ScriptedDatabase.Transaction transaction = database.begin();
      transaction.statement();
      transaction.statement();
      open.add(transaction);
    }
  }

  private void stream(List<ScriptedDatabase.Transaction> open, int transactions, int restarts) {
    int committed = 0;
    while (committed < transactions || !open.isEmpty()) {
      if (committed + open.size() < transactions && (open.isEmpty() || random.nextInt(5) == 0)) {
        open.add(database.begin());
      }
      ScriptedDatabase.Transaction transaction = open.get(random.nextInt(open.size()));
      if (random.nextInt(3) > 0 && open.size() <= 5) {
        transaction.statement();
      } else if (random.nextInt(12) == 0) {
        transaction.rollBack();
        open.remove(transaction);
        committed++;
      } else {
        commit(transaction);
        open.remove(transaction);
        committed++;
        if (options.repeated().restarts() > 0
            && random.nextInt(Math.max(1, transactions / restarts)) == 0) {
          restart();
        }
      }
    }
  }

  private void commit(ScriptedDatabase.Transaction transaction) {
    micros += 1000 + random.nextInt(50_000);
    int hoursApart = options.clocks().hoursApart();
    if (hoursApart > 0) {
      micros += random.nextInt(hoursApart * 3600) * 1_000_000L;
    }
    DebeziumJson.Commit commit =
        new DebeziumJson.Commit(previousCommit, transaction.id(), micros, streamed());
    for (ScriptedEvent event : transaction.commit()) {
      send(event, commit);
    }
    previousCommit = database.advance();
  }

  /** It locks the table, so no transaction is open. Its message names no key. */
  private void truncate() {
    database.rows().clear();
    ScriptedEvent event = new ScriptedEvent("t", 0, null, database.advance(), Map.of(), Set.of());
    micros += 1000;
    DebeziumJson.Commit commit =
        new DebeziumJson.Commit(previousCommit, database.advance(), micros, streamed());
    byte[] value = json.value(event, commit, (micros + connectorAhead()) / 1000 + 200);
    append(random.nextInt(options.partitions()), null, value, Map.of());
    previousCommit = database.advance();
  }

  private void snapshot() {
    long position = database.advance();
    long transaction = database.advance();
    micros += 1000;
    int index = 0;
    for (Map.Entry<Long, ScriptedRow> row : database.rows().entrySet()) {
      index++;
      String marker = index == 1 ? "first" : index == database.rows().size() ? "last" : "true";
      send(
          new ScriptedEvent("r", row.getKey(), row.getValue(), position, Map.of(), Set.of()),
          new DebeziumJson.Commit(null, transaction, micros + connectorAhead(), marker));
    }
    previousCommit = null;
  }

  private long connectorAhead() {
    return options.clocks().connectorAheadHours() * 3_600_000_000L;
  }

  private void send(ScriptedEvent event, DebeziumJson.Commit commit) {
    byte[] key = json.key(event.id());
    append(event, key, json.value(event, commit, (micros + connectorAhead()) / 1000 + 200));
    if (event.op().equals("d")) {
      append(event, key, null);
    }
  }

  private void append(ScriptedEvent event, byte[] key, byte @Nullable [] value) {
    int partition = BuiltInPartitioner.partitionForKey(key, options.partitions());
    append(partition, key, value, event.headers());
  }

  private void append(
      int partition, byte @Nullable [] key, byte @Nullable [] value, Map<String, String> more) {
    Map<String, String> headers = new TreeMap<>(more);
    headers.put("__debezium.context.runId", "run-" + run);
    append(new RawEvent(options.topic(), partition, 0, key, value, headers));
  }

  private void append(RawEvent event) {
    events.add(event.at(event.partition(), ends[event.partition()]++));
  }

  /** The connector starts over: what it had sent last comes again, in order. */
  private void restart() {
    run++;
    int from = events.size() - 1 - random.nextInt(Math.min(events.size(), 60));
    for (RawEvent event : List.copyOf(events.subList(from, events.size()))) {
      append(again(event));
    }
  }

  /** From an offset that was stored in a snapshot a connector calls all that it streams that. */
  private String streamed() {
    return run % 2 == 1 ? CLAIMED : STREAMED;
  }

  private RawEvent again(RawEvent event) {
    String text = event.value() == null ? "" : new String(event.value(), StandardCharsets.UTF_8);
    if (text.isEmpty() || text.contains("\"op\":\"r\"")) {
      return event;
    }
    String now = flag(streamed());
    byte[] value =
        text.replace(flag(STREAMED), now)
            .replace(flag(CLAIMED), now)
            .getBytes(StandardCharsets.UTF_8);
    return new RawEvent(
        event.topic(), event.partition(), event.offset(), event.key(), value, event.headers());
  }

  private static String flag(String snapshot) {
    return "\"snapshot\":\"" + snapshot + "\"";
  }

  private void repeat() {
    List<RawEvent> sent = List.copyOf(events);
    for (int i = 0; i < options.repeated().records(); i++) {
      append(sent.get(random.nextInt(sent.size())));
    }
    for (int i = 0; i < options.repeated().shuffledCopies(); i++) {
      List<RawEvent> copy = new ArrayList<>(sent);
      Collections.shuffle(copy, random);
      copy.forEach(this::append);
    }
  }

  @Override
  public String toString() {
    return options + ": " + events.size() + " records";
  }
}
