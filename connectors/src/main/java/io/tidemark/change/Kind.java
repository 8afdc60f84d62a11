package io.tidemark.change;

/** What a change leaves behind: a row, or the knowledge that there is none. */
public enum Kind {
  /** An insert, an update or a row that a snapshot read: the key's row is this one. */
  UPSERT,
  /** A delete: the key has no row. */
  DELETE
}
