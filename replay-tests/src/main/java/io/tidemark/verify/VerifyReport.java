package io.tidemark.verify;

import io.tidemark.oracle.Difference;
import io.tidemark.oracle.Findings;
import io.tidemark.oracle.Place;
import io.tidemark.oracle.TableCheck;
import io.tidemark.oracle.Verification;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Says what a comparison came to. Of rows it shows the keys, and values only where it is told to.
 */
final class VerifyReport {

  private final PrintWriter out;
  private final String table;
  private final TableVerifier.Outcome outcome;
  private final UnaryOperator<String> typed;

  /**
   * Makes one.
   *
   * @param typed makes a message of the job what it is for this configuration
   */
  VerifyReport(
      PrintWriter out, String table, TableVerifier.Outcome outcome, UnaryOperator<String> typed) {
    this.out = out;
    this.table = table;
    this.outcome = outcome;
    this.typed = typed;
  }

  /**
   * Prints it.
   *
   * @param rows looks up what the log says of a row; null for a report without values
   */
  void print(@Nullable Function<Place, @Nullable Map<String, @Nullable Object>> rows) {
    Verification.Result result = outcome.result();
    TableVerifier.LogSummary log = outcome.log();
    line("table       %s, snapshot %d", table, outcome.record().snapshot());
    line("record      commit %s", outcome.record().commitId());
    replay();
    for (LogReader.Part part : log.parts()) {
      line(
          "log         %s-%d, offsets %,d to %,d",
          part.topic(), part.partition(), part.from(), part.to());
    }
    log.lost().forEach(what -> line("lost        %s", what));
    line(
        "by the log  %,d rows, %,d deleted keys, from %,d changes",
        result.live(), result.deleted(), log.changes());
    line("found       %s rows, %s tombstones", count(result.rows()), count(result.tombstones()));
    if (log.skipped() > 0) {
      line("skipped     %,d records that cannot be understood", log.skipped());
      reasons(log.skippedFor());
    }
    if (log.inGaps() > 0) {
      line("left out    %,d records in accepted gaps (tidemark.gaps)", log.inGaps());
    }
    long ofLetters = result.aside().stream().filter(outcome.aside()::has).count();
    if (log.refused().count() > 0) {
      line(
          "refused     %,d records that the job puts aside (errors.policy), or may have; %,d of"
              + " them would change the table",
          log.refused().count(), result.aside().size() - ofLetters);
      reasons(log.refused().lines());
    }
    if (!outcome.aside().isEmpty()) {
      line(
          "put aside   %,d records; %,d of them would change the table (tidemark redrive), %,d"
              + " cannot be understood",
          outcome.aside().places().size(), ofLetters, log.asideUnread());
    }
    if (outcome.aside().ofFormer() > 0) {
      line(
          "passed over %,d dead letters of a topic of this name that was deleted",
          outcome.aside().ofFormer());
    }
    if (!log.lost().isEmpty() || result.unexplained() > 0) {
      line(
          "not judged  %,d keys that only the lost part of the log explains", result.unexplained());
    }
    result.notes().forEach(note -> line("note        %s", note));
    for (Difference kind : Difference.values()) {
      differences(kind, rows);
    }
    out.println();
    out.println(verdict());
  }

  private void replay() {
    outcome
        .record()
        .replay()
        .next()
        .forEach(
            (topic, from) ->
                line(
                    "replay      %s, offsets by partition %s: under way with --accept-horizon; rows"
                        + " of forgotten keys are in the table until it is through",
                    topic, from));
  }

  private String verdict() {
    if (outcome.findings().isEmpty()) {
      return outcome.log().lost().isEmpty() && outcome.result().unexplained() == 0
          ? "EQUAL: every key and column of " + table + " is what the log says."
          : "EQUAL: every key and column of " + table + " is what the log still says.";
    }
    long total = 0;
    int kinds = 0;
    for (Difference kind : Difference.values()) {
      total += outcome.findings().count(kind);
      kinds += outcome.findings().count(kind) > 0 ? 1 : 0;
    }
    return String.format(
        Locale.ROOT,
        "DIFFERENT: %,d difference%s of %d kind%s in %s.",
        total,
        s(total),
        kinds,
        s(kinds),
        table);
  }

  private void differences(
      Difference kind, @Nullable Function<Place, @Nullable Map<String, @Nullable Object>> rows) {
    long count = outcome.findings().count(kind);
    if (count == 0) {
      return;
    }
    out.println();
    line("%s: %,d (%s)", kind.title(), count, kind.meaning());
    List<Findings.Example> examples = outcome.findings().examples(kind);
    for (Findings.Example example : examples) {
      String columns = String.join(", ", example.columns());
      line(
          "  %s%s%s",
          kind == Difference.FOREIGN ? typed.apply(example.what()) : example.what(),
          columns.isEmpty() ? "" : ": " + columns,
          example.detail().isEmpty() ? "" : " (" + example.detail() + ")");
      if (rows != null) {
        values(example, rows);
      }
    }
    if (count > examples.size()) {
      line("  and %,d more", count - examples.size());
    }
  }

  private void values(
      Findings.Example example, Function<Place, @Nullable Map<String, @Nullable Object>> rows) {
    Map<String, @Nullable Object> found = example.found();
    Place place = example.expected();
    Map<String, @Nullable Object> expected = place == null ? null : rows.apply(place);
    TreeSet<String> names = new TreeSet<>(example.columns());
    if (names.isEmpty()) {
      names.addAll(found == null ? java.util.Set.of() : found.keySet());
      names.addAll(expected == null ? java.util.Set.of() : expected.keySet());
    }
    for (String name : names) {
      String table = found == null ? "no row" : String.valueOf(found.get(name));
      String log = expected == null ? "no row" : String.valueOf(expected.get(name));
      if (example.columns().isEmpty() && TableCheck.ADDED_COLUMNS.contains(name)) {
        continue;
      }
      line("      %s: table %s, log %s", name, table, log);
    }
  }

  private static String count(long rows) {
    return rows < 0 ? "unknown" : String.format(Locale.ROOT, "%,d", rows);
  }

  private static String s(long count) {
    return count == 1 ? "" : "s";
  }

  private void reasons(List<String> reasons) {
    reasons.forEach(reason -> line("              %s", typed.apply(reason)));
  }

  private void line(String format, Object... arguments) {
    out.println(String.format(Locale.ROOT, format, arguments));
  }
}
