package io.tidemark.oracle;

import java.util.List;

/** Where the schemas of Avro messages are kept. */
@FunctionalInterface
public interface Schemas {

  /**
   * The schema of an id, behind those that it refers to, each behind its own.
   *
   * @param kind what the id counts: {@code schema}, {@code globalId} or {@code contentId}
   * @throws IllegalArgumentException if there is none
   */
  List<String> texts(String kind, long id);
}
