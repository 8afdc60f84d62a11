package io.tidemark.debezium;

/**
 * What becomes of an update by MongoDB that has no document in {@code after}. The record does not
 * say why: the connector was told to send none, or it looked the document up too late.
 */
public enum OnMissingDocument {
  /** The record is malformed. */
  FAIL,
  /** It is passed over: the table keeps the document that it has. */
  IGNORE
}
