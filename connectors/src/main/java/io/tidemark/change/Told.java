package io.tidemark.change;

/**
 * The highest change that decides a column's value, and whether it told the value.
 *
 * <p>Every change of a key decides some of its columns: an insert, a delete and a row of a snapshot
 * all of them, an update those that it sends. Of two changes the higher one decides; so the value
 * of a column is the highest of a totally ordered set, as the row's version is, and the join of a
 * row is the join of each of its columns.
 *
 * @param version of the change that decides; {@link #NEVER}'s if none was seen
 * @param known whether it told the value; one that did not, an insert that left the column out or a
 *     delete, ends what older ones told
 */
public record Told(CommitVersion version, boolean known) implements Comparable<Told> {

  /** Of a column that no change was seen to tell. Below all others. */
  public static final Told NEVER = new Told(new CommitVersion(0, Position.ZERO, 0, 0), false);

  private static final String UNKNOWN = "?";

  @Override
  public int compareTo(Told other) {
    int order = version.compareTo(other.version);
    return order != 0 ? order : Boolean.compare(known, other.known);
  }

  /**
   * Whether both are the same change or copies of it, at whatever offsets, or tie at the source.
   */
  public boolean ties(Told other) {
    return known == other.known && version.comparePosition(other.version) == 0;
  }

  /**
   * The form that {@code _kept} has in tables: the version's text, after a {@code ?} if unknown.
   */
  public String toText() {
    return known ? version.toText() : UNKNOWN + version.toText();
  }

  /**
   * Reads what {@link #toText()} wrote.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  public static Told parse(String text) {
    boolean known = !text.startsWith(UNKNOWN);
    return new Told(CommitVersion.parse(known ? text : text.substring(1)), known);
  }
}
