package io.tidemark.debezium.format;

import java.io.Serializable;

/** How a topic's keys and values are written. */
public interface MessageFormat extends Serializable {

  /** A new reader of keys. */
  MessageReader keys();

  /** A new reader of values. */
  MessageReader values();
}
