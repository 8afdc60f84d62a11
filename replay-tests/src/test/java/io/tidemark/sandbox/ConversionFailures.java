package io.tidemark.sandbox;

import io.debezium.relational.TableSchemaBuilder;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/**
 * Columns whose values Debezium failed to convert, by its log: where it warns by default, and stops
 * with {@code event.converting.failure.handling.mode=fail}.
 */
final class ConversionFailures extends AbstractAppender implements AutoCloseable {

  private static final Pattern FAILED =
      Pattern.compile("Failed to properly convert data value for '(.*)\\.(\\w+)' of type .*");

  private final Set<String> columns = new ConcurrentSkipListSet<>();
  private final Logger logger;

  private ConversionFailures() {
    super("conversion failures", null, null, true, Property.EMPTY_ARRAY);
    logger = LoggerContext.getContext(false).getLogger(TableSchemaBuilder.class.getName());
  }

  /** Begins to listen. */
  static ConversionFailures listen() {
    ConversionFailures failures = new ConversionFailures();
    failures.start();
    failures.logger.addAppender(failures);
    failures.logger.setLevel(Level.WARN); // test jars on the class path turn all logs off
    return failures;
  }

  /** The columns of a table, of all connectors. */
  Set<String> columns(String table) {
    Set<String> found = new TreeSet<>();
    for (String column : columns) {
      if (column.startsWith(table + ".")) {
        found.add(column.substring(table.length() + 1));
      }
    }
    return found;
  }

  @Override
  public void append(LogEvent event) {
    Matcher failed = FAILED.matcher(event.getMessage().getFormattedMessage());
    if (failed.matches()) {
      columns.add(failed.group(1) + "." + failed.group(2));
    }
  }

  @Override
  public void close() {
    logger.setLevel(null);
    logger.removeAppender(this);
    stop();
  }
}
