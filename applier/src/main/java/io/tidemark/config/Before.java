package io.tidemark.config;

/** What {@code before} holds in the source's deletes. */
public enum Before {
  /** The key; what else is there may be invented. */
  KEY,
  /** The whole row as it was. */
  FULL
}
