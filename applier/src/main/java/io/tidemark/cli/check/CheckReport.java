package io.tidemark.cli.check;

import java.io.PrintWriter;
import java.util.function.UnaryOperator;

/** Prints what was found, a line each, as soon as it is known. */
public final class CheckReport {
  private static final String INDENT = " ".repeat(17);

  private final PrintWriter out;
  private final UnaryOperator<String> typed;
  private int failures;
  private int warnings;

  /**
   * Prints to {@code out}.
   *
   * @param typed makes a line what it is for this configuration, such as commands that name FILE
   */
  public CheckReport(PrintWriter out, UnaryOperator<String> typed) {
    this.out = out;
    this.typed = typed;
  }

  void ok(String subject, String finding) {
    print("ok", subject, finding);
  }

  /** Something that a run can live with. */
  void warn(String subject, String finding, String remedy) {
    warnings++;
    print("warn", subject, finding + "\n-> " + remedy);
  }

  /** Something that a run would stop at. */
  void fail(String subject, String finding, String remedy) {
    failures++;
    print("FAIL", subject, finding + "\n-> " + remedy);
  }

  /** Whether nothing failed. */
  public boolean isGood() {
    return failures == 0;
  }

  /** {@code 2 failed, 1 warning}. */
  public String summary() {
    String warned = count(warnings, "warning");
    return failures == 0 ? "Ready to run, " + warned + "." : failures + " failed, " + warned + ".";
  }

  /** {@code 1 topic}, {@code 2 topics}. */
  static String count(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  private void print(String level, String subject, String text) {
    out.printf(
        "%-5s %-10s %s%n",
        level, subject, typed.apply(text).replace("\n", System.lineSeparator() + INDENT));
    out.flush();
  }
}
