package io.tidemark.debezium.version;

import io.tidemark.change.SourcePosition;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import java.util.Map;
import java.util.TreeSet;

/** Asks the reader of the connector that wrote the event. */
final class ConnectorVersion implements VersionReader {
  private static final String OTHERWISE =
      ". Use version: field:<path> with a number that rises with every commit, or version:"
          + " kafka-offset";

  // MongoDB's events carry a time of one second's resolution and a counter that restarts with it,
  // all changes of a transaction the same. Its own order is that of the topic.
  private final Map<String, VersionReader> readers =
      Map.of(
          "postgresql", new PostgresVersion(),
          "mysql", new BinlogVersion(),
          "mariadb", new BinlogVersion(),
          "sqlserver", new SqlServerVersion(),
          "oracle", new OracleVersion(),
          "db2", new Db2Version(),
          "informix", new InformixVersion(),
          "vitess", new VitessVersion(),
          "mongodb", new OffsetVersion());

  @Override
  public SourcePosition read(EventFacts event) throws Problem {
    String connector = event.source().connector();
    if (connector == null) {
      throw new Problem(
          "source.connector is missing, from which version: auto knows how positions compare"
              + OTHERWISE);
    }
    VersionReader reader = readers.get(connector);
    if (reader == null) {
      throw new Problem(
          "version: auto works for connectors "
              + String.join(", ", new TreeSet<>(readers.keySet()))
              + "; found "
              + JsonInput.quoted(connector)
              + OTHERWISE);
    }
    return reader.read(event);
  }
}
