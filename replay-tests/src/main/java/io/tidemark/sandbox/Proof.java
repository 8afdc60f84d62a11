package io.tidemark.sandbox;

import java.util.ArrayList;
import java.util.List;

/** The lines of the demo's proof, and how they are printed. */
final class Proof {

  private static final String HEADER = "%-58s %11s %13s %13s %9s   %s";
  private static final String ROW = "%-58s %11s %13s %13s %9s   rows changed: %d%s";

  private final List<ProofLine> lines = new ArrayList<>();

  void add(ProofLine line) {
    lines.add(line);
  }

  /** Whether every step has left the table as it has to be. */
  boolean holds() {
    return lines.stream().allMatch(ProofLine::holds);
  }

  /** The table, and below it what is wrong. */
  List<String> render() {
    List<String> text = new ArrayList<>();
    text.add(
        HEADER
            .formatted("", "events read", "rows compared", "!= PostgreSQL", "!= before", "")
            .stripTrailing());
    for (ProofLine line : lines) {
      Differences before = line.toBefore();
      text.add(
          ROW.formatted(
              line.title(),
              Narration.count(line.eventsRead()),
              Narration.count(line.rowsCompared()),
              Narration.count(line.toPostgres().rows()),
              before == null ? "-" : Narration.count(before.rows()),
              line.rowsChanged(),
              line.holds() ? "" : "   FAILED"));
    }
    for (ProofLine line : lines) {
      if (!line.holds()) {
        text.add("");
        text.add("FAILED " + line.title());
        line.findings().forEach(finding -> text.add("  " + finding));
      }
    }
    return text;
  }
}
