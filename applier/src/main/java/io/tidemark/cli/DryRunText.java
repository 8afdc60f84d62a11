package io.tidemark.cli;

import io.tidemark.job.DryRunReport;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** A dry run's outcome for people. */
final class DryRunText {
  private static final String INDENT = " ".repeat(14);

  private DryRunText() {}

  /**
   * Prints it.
   *
   * @param limit how many of the records that cannot be decoded are named
   * @param typed makes a message what it is for this configuration
   */
  static void print(DryRunReport report, int limit, UnaryOperator<String> typed, PrintWriter out) {
    out.println("Dry run: nothing was written.");
    line(out, "changes read, of which", report.read().changes());
    line(out, "rows to insert", report.rows().inserted());
    line(out, "rows to update", report.rows().updated());
    line(out, "rows to delete", report.rows().deleted());
    line(out, "further changes of the same keys: a key counts once", report.read().further());
    line(out, "deletes of keys without a row", report.read().absent());
    line(out, "changes superseded by a higher version", report.read().superseded());
    line(out, "changes that are duplicates", report.read().duplicates());
    line(out, "changes of unknown keys from before the horizon", report.read().tooOld());
    line(out, "records that cannot be decoded, beside these", report.read().malformed());
    List<String> problems = report.problems();
    problems.stream().limit(limit).forEach(problem -> out.println(INDENT + typed.apply(problem)));
    long more = report.read().malformed() - Math.min(limit, problems.size());
    if (more > 0) {
      out.println(String.format(Locale.ROOT, "%sand %,d more", INDENT, more));
    }
    if (report.read().inGaps() > 0) {
      line(out, "records left out, in accepted gaps", report.read().inGaps());
    }
    report
        .highest()
        .forEach(
            (partition, version) -> out.println("highest version " + partition + "  " + version));
    out.flush();
  }

  private static void line(PrintWriter out, String what, long count) {
    out.println(String.format(Locale.ROOT, "%,12d  %s", count, what));
  }
}
