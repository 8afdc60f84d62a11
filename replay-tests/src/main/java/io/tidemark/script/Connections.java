package io.tidemark.script;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens connections to the database that a script runs against. */
@FunctionalInterface
public interface Connections {

  /** A new connection, which the caller closes. */
  Connection connect() throws SQLException;
}
