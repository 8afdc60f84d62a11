package io.tidemark.cli;

import io.tidemark.job.DryRunReport;
import java.io.PrintWriter;
import java.util.Locale;

/** A dry run's outcome for people. */
final class DryRunText {
  private DryRunText() {}

  static void print(DryRunReport report, PrintWriter out) {
    out.println("Dry run: nothing was written.");
    line(out, "changes read", report.read().changes());
    line(out, "rows to insert", report.rows().inserted());
    line(out, "rows to update", report.rows().updated());
    line(out, "rows to delete", report.rows().deleted());
    line(out, "changes superseded by a higher version", report.read().superseded());
    line(out, "changes that are duplicates", report.read().duplicates());
    line(out, "records that cannot be decoded", report.read().malformed());
    line(out, "changes of unknown keys from before the horizon", report.read().tooOld());
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
