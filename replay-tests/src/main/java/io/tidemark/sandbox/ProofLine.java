package io.tidemark.sandbox;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one step of the demo has shown.
 *
 * @param title what was done
 * @param eventsRead how many records the job had to read in this step
 * @param rowsCompared rows of the table, each with every column
 * @param toPostgres how the table differs from PostgreSQL's own answer
 * @param toBefore how it differs from the table before the step; null where the step is meant to
 *     change it
 * @param problems whatever else is wrong, in words
 */
record ProofLine(
    String title,
    long eventsRead,
    int rowsCompared,
    Differences toPostgres,
    @Nullable Differences toBefore,
    List<String> problems) {

  boolean holds() {
    return findings().isEmpty();
  }

  /** Rows that are not what they should be: as before, or as in PostgreSQL. */
  int rowsChanged() {
    return toBefore == null ? toPostgres.rows() : Math.max(toPostgres.rows(), toBefore.rows());
  }

  /** Everything that is wrong, in words. */
  List<String> findings() {
    List<String> findings = new ArrayList<>(problems);
    if (toPostgres.rows() > 0) {
      findings.add("compared with PostgreSQL:");
      toPostgres.examples().forEach(example -> findings.add("  " + example));
    }
    if (toBefore != null && toBefore.rows() > 0) {
      findings.add("compared with the table before:");
      toBefore.examples().forEach(example -> findings.add("  " + example));
    }
    return findings;
  }
}
