package io.tidemark.oracle;

import org.jspecify.annotations.Nullable;

/**
 * Which change last said something of a column.
 *
 * @param version null if none did
 * @param known whether it told the value; false where the row was made or deleted without it
 */
public record OracleTold(@Nullable OracleVersion version, boolean known) {

  private static final OracleVersion LOWEST = new OracleVersion(0, 0, 0, 0, 0, 0);

  /** Whether this is what a table's {@code _kept} says of the column, but for the Kafka offset. */
  boolean isShownAs(String text) {
    boolean shownKnown = !text.startsWith("?");
    OracleVersion shown = OracleVersion.parse(shownKnown ? text : text.substring(1));
    return shownKnown == known && shown.ties(version == null ? LOWEST : version);
  }
}
