package io.tidemark.oracle;

/** In what a table can differ from its log. */
public enum Difference {
  MISSING("missing rows", "the log has them, the table does not"),
  EXTRA("extra rows", "the log does not have their keys"),
  RISEN("rows of deleted keys", "the log ends with their delete"),
  DIFFERENT("different rows", "the version is right, these columns are not"),
  OLDER("older rows", "the log has a higher version"),
  NEWER("newer rows", "the log does not have their version"),
  DUPLICATE("keys with several rows", "each must have one"),
  TOMBSTONE_MISSING(
      "missing tombstones", "a late update of these deleted keys would bring them back"),
  TOMBSTONE_WRONG("wrong tombstones", "they are above all that the log says of their keys"),
  FILE_GONE("missing files", "the table refers to them"),
  FILE_DAMAGED("damaged files", "they are not what was written"),
  FILE_TWICE("files referred to twice", "their rows count twice"),
  FOREIGN("writes by others", "a job refuses to go on above them"),
  MISCOUNTED("other live rows than the record counts", "a start without state refuses them"),
  LOG("gaps in the log", "up to the recorded offsets it must be readable");

  private final String title;
  private final String meaning;

  Difference(String title, String meaning) {
    this.title = title;
    this.meaning = meaning;
  }

  /** What is counted. */
  public String title() {
    return title;
  }

  /** What is wrong with it, in a few words. */
  public String meaning() {
    return meaning;
  }
}
