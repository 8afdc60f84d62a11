package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.StartPosition;
import io.tidemark.oracle.RawEvent;
import io.tidemark.oracle.TableReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Recordings of a real database, through Kafka and the real job into a real table: in every column
 * of every row the database's own answer. What the source itself loses is listed, cell by cell, in
 * {@link CorpusTable}.
 *
 * <p>One recording of each way in which real jobs differ: columns from the messages or the route,
 * columns that are kept, initial, second and incremental snapshots, and both databases. The other
 * recordings have any delivery in {@link CorpusOperatorTest}, with the job's operators and a table,
 * and in every format in {@code CorpusTest} and {@code RecordingsTest}, without a job.
 */
@Timeout(300)
class CorpusReplayTest {

  @TempDir Path warehouse;

  @ParameterizedTest
  @EnumSource(
      value = CorpusTable.class,
      names = {"TYPES_SCHEMAS", "TOAST"})
  void inOrderThenFromTheMiddleThenRepeatedAndCopiedAndReadAgain(CorpusTable recorded)
      throws Exception {
    Random random = Seed.random("CorpusReplayTest." + recorded, 1);
    List<RawEvent> events = recorded.load().events();
    ReplayJob job = job(recorded, "ordered." + recorded.name() + "." + recorded.topic());

    int middle = 1 + random.nextInt(events.size() - 1);
    ReplayKafka.produce(job.topic(), events.subList(0, middle));
    System.out.println(recorded + ", up to the middle: " + job.catchUp().check());

    // Each start is one without state.
    ReplayKafka.produce(job.topic(), events.subList(middle, events.size()));
    endsAsTheDatabase(recorded, job.catchUp(), "in order, from the middle");

    List<RawEvent> suffix = events.subList(random.nextInt(events.size()), events.size());
    ReplayKafka.produce(job.topic(), suffix);
    ReplayKafka.produce(job.topic(), Deliveries.shuffled(events, random));
    endsAsTheDatabase(
        recorded,
        job.catchUpFrom(new StartPosition.Earliest()),
        "suffix repeated, shuffled copy after, read again from the beginning");
  }

  @ParameterizedTest
  @EnumSource(
      value = CorpusTable.class,
      names = {"BASIC_SCHEMAS", "TOAST", "ITEMS", "TWICE", "MARIADB"})
  void interleavedWithSuffixesRepeatedOnTheWay(CorpusTable recorded) throws Exception {
    Random random = Seed.random("CorpusReplayTest." + recorded, 2);
    ReplayJob job = job(recorded, "interleaved." + recorded.name() + "." + recorded.topic());

    ReplayKafka.produce(
        job.topic(),
        Deliveries.interleaved(Deliveries.withRestarts(recorded.load().events(), random), random));

    endsAsTheDatabase(recorded, job.catchUp(), "interleaved");
  }

  private static void endsAsTheDatabase(CorpusTable recorded, ReplayJob job, String what) {
    TableReport report = job.check();
    System.out.println(recorded + ", " + what + ": " + report);
    assertThat(Truth.differences(recorded.load(), job.table())).as(what).isEqualTo(recorded.lost());
  }

  private ReplayJob job(CorpusTable recorded, String topic) {
    ReplayKafka.createTopic(topic, 4);
    List<String> route =
        new ArrayList<>(List.of("on-unrepresentable: 'null'", "unknown-values: 'null'"));
    if (!recorded.hasSchemas()) {
      route.add("columns:");
      CorpusColumns.of(recorded)
          .forEach((name, type) -> route.add("  " + name + ": '" + type + "'"));
    }
    return new ReplayJob(topic, warehouse, recorded.oracle(), route);
  }
}
