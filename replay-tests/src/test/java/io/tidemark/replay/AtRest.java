package io.tidemark.replay;

import java.sql.Connection;

/** What else looks at a database at rest, whose changes are all in a topic. */
@FunctionalInterface
interface AtRest {

  /**
   * Looks; no more once the server was lost and another one restored.
   *
   * @param when for messages
   * @param job the one of that topic; its table is right
   */
  void look(String when, Connection database, ReplayJob job) throws Exception;
}
