package io.tidemark.debezium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.Seeds;
import io.tidemark.change.Position;
import io.tidemark.change.SourcePosition;
import io.tidemark.corpus.Corpus;
import io.tidemark.corpus.Deliveries;
import io.tidemark.corpus.Fold;
import io.tidemark.corpus.TextRow;
import io.tidemark.row.RowShape;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Real recordings end in the database's own rows, cell by cell, but for what is listed in {@code
 * lost/}, with the reason.
 */
class RecordingsTest {

  @ParameterizedTest
  @EnumSource(RecordedTable.class)
  void everyCellIsTheDatabasesOwn(RecordedTable table) {
    Fold fold = table.fold().applyAll(table.records());

    assertThat(table.differences(fold)).containsExactlyInAnyOrderElementsOf(table.lost());
    assertThat(fold.malformed()).hasSize(table.truncates()).allMatch(p -> p.contains(": op t: "));
  }

  /** Nothing that was recorded is left out but by name. */
  @Test
  void everyRecordedTableIsRead() throws Exception {
    Set<String> recorded = new TreeSet<>();
    Pattern topic = Pattern.compile("\"topic\": ?\"src\\.(\\w+\\.\\w+)\"");
    URL folder = Objects.requireNonNull(RecordingsTest.class.getResource("/corpora/README.md"));
    try (Stream<Path> files = Files.walk(Path.of(folder.toURI()).resolveSibling("."))) {
      for (Path file : files.filter(f -> f.endsWith("events.jsonl")).toList()) {
        try (Stream<String> lines = Files.lines(file)) {
          lines
              .map(topic::matcher)
              .filter(Matcher::find)
              .forEach(
                  found -> recorded.add(file.getParent().getFileName() + " " + found.group(1)));
        }
      }
    }
    Set<String> read =
        LostStateTest.tables().map(Recording::place).collect(Collectors.toCollection(TreeSet::new));
    // Refused, see below; and the one whose unsent columns only the gate keeps, in replay-tests.
    read.addAll(List.of("pg-keys k.dbl", "pg-keys k.nopk", "pg-keys k.nopk_full"));
    read.add("pg-toast tt.def");
    assertThat(recorded).isEqualTo(read);
  }

  /** What no recording of these columns can be: a table without a key, a key that is no number. */
  @Test
  void tablesThatCannotBeKept() {
    for (String table : List.of("k.nopk", "k.nopk_full")) {
      RowShape shape = Events.shape("a*: int", "b: string");
      Fold fold =
          new Fold(new EnvelopeDecoder(shape, DecoderSettings.DEFAULTS, new TextRow(shape)))
              .applyAll(Corpus.load("pg-keys").of("src." + table));
      assertThat(fold.rows(List.of("a"))).isEmpty();
      assertThat(fold.malformed())
          .hasSize(table.equals("k.nopk") ? 4 : 7)
          .allMatch(problem -> problem.contains(": the message has no key. Give the source table"));
    }
    assertThatThrownBy(() -> Events.shape("id*: double", "v: string"))
        .hasMessage("Column id of type double cannot be a key column");
  }

  /**
   * Columns do not change under a job: what the first ones cannot hold is refused by name. With all
   * that ever were the table is {@link RecordedTable#CHANGED_COLUMNS}.
   */
  @Test
  void changedColumnsAreRefusedByName() {
    RowShape shape =
        Events.shape(
            "id*: int",
            "a: int",
            "b: string",
            "c: decimal(10, 2)",
            "old_name: string",
            "doomed: string",
            "flag: boolean");
    Fold fold =
        new Fold(new EnvelopeDecoder(shape, DecoderSettings.DEFAULTS, new TextRow(shape)))
            .applyAll(Corpus.load("pg-ddl").of("src.dd.t"));

    Map<String, Long> refused = new TreeMap<>();
    fold.malformed().forEach(p -> refused.merge(p.substring(p.indexOf(": ") + 2), 1L, Long::sum));
    assertThat(refused)
        .isEqualTo(
            Map.of(
                "after: column \"added_def\": the table has no such column", 16L,
                "after: column \"new_name\": the table has no such column", 35L,
                "after: column a: expected a 32-bit integer, found an integer out of its range",
                    12L));
  }

  @ParameterizedTest
  @EnumSource(RecordedTable.class)
  void partitionsMayInterleaveSuffixesRepeatAndCopiesFollow(RecordedTable table) {
    List<RawRecord> records = table.records();
    for (long seed = 1; seed <= 2; seed++) {
      Random random = Seeds.random("RecordingsTest." + table, seed);
      Fold fold = table.fold();

      List<RawRecord> sent = Deliveries.withRestarts(records, random);
      fold.applyAll(Deliveries.interleaved(sent, random));
      assertThat(table.differences(fold)).containsExactlyInAnyOrderElementsOf(table.lost());
      fold.applyAll(
          table.positionsAreUnique()
              ? Deliveries.shuffledCopy(sent, random)
              : Deliveries.copy(sent));

      assertThat(table.differences(fold)).containsExactlyInAnyOrderElementsOf(table.lost());
    }
  }

  /** The recording's three binlog files under the names that they have around the millionth. */
  @Test
  void binlogFilesAreComparedAsNumbers() {
    RecordedTable table = RecordedTable.MARIADB;
    Fold fold = table.fold().applyAll(aroundTheMillionthFile(table.records()));

    assertThat(table.differences(fold)).containsExactlyInAnyOrderElementsOf(table.lost());
  }

  @Test
  void plantedBugBinlogFilesComparedAsTextIsCaught() {
    RecordedTable table = RecordedTable.MARIADB;
    Fold fold =
        table
            .fold(decoder -> record -> filesAsText(decoder.decode(record)))
            .applyAll(aroundTheMillionthFile(table.records()));

    List<String> wrong = table.differences(fold);
    wrong.removeAll(table.lost());
    assertThat(wrong).contains("82 is too much", "75.qty = 7");
  }

  private static List<RawRecord> aroundTheMillionthFile(List<RawRecord> records) {
    return records.stream()
        .map(
            record -> {
              byte[] value = record.value();
              String renamed =
                  value == null
                      ? null
                      : new String(value, StandardCharsets.UTF_8)
                          .replace("\"bin.000011\"", "\"bin.999998\"")
                          .replace("\"bin.000012\"", "\"bin.999999\"")
                          .replace("\"bin.000013\"", "\"bin.1000000\"");
              return new RawRecord(
                  record.at(),
                  record.timestampMillis(),
                  record.key(),
                  renamed == null ? null : renamed.getBytes(StandardCharsets.UTF_8),
                  record.headers());
            })
        .toList();
  }

  /** In the order of texts {@code .1000000} comes before {@code .999998}. */
  private static DecodeResult filesAsText(DecodeResult result) {
    if (!(result instanceof DecodeResult.Decoded d)) {
      return result;
    }
    Position at = d.source().position();
    Position text =
        new Position(Long.parseLong((at.p1() + "0".repeat(18)).substring(0, 18)), at.p2(), at.p3());
    return new DecodeResult.Decoded(
        d.key(),
        d.kind(),
        d.source() instanceof SourcePosition.Snapshot
            ? new SourcePosition.Snapshot(text)
            : new SourcePosition.Stream(text),
        d.sourceTimeMicros(),
        d.row());
  }
}
