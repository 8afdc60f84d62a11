package io.tidemark.debezium;

import io.tidemark.debezium.version.SourceBlock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tells rows that have all their columns from those whose source may have left some out, and whose
 * placeholders stand for them. In a whole row what looks like a placeholder is the user's own.
 *
 * <p>Which connectors write a placeholder is said by their sources: PostgreSQL's, Oracle's, SQL
 * Server's and Informix's do, and those of MySQL and MariaDB from 3.7 on ({@code
 * binlog_row_image=NOBLOB}), before which they had no way to. Vitess's is about to for the same
 * reason (debezium-connector-vitess, pull request 301), and of Db2's nobody knows what later
 * versions do, so that of both only those count that are known to write none.
 */
final class WholeRow {
  private static final String OLD_KEY = "__debezium.oldkey";
  private static final String CONTEXT = "__debezium.context.";
  private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})\\..*");

  private WholeRow() {}

  /**
   * Whether a row has all its columns for sure.
   *
   * @param source of the record, as far as it is said
   * @param op of the record; null if it is not said
   */
  static boolean is(RawRecord record, SourceBlock source, @Nullable String op) {
    String connector = source.connector();
    if (connector == null) {
      return false;
    }
    return switch (connector) {
      case "mysql", "mariadb", "vitess", "db2" -> isBefore37(source.connectorVersion());
      case RowReader.POSTGRES -> isWholeOfPostgres(record, op);
      default -> false;
    };
  }

  private static boolean isBefore37(@Nullable String version) {
    if (version == null) {
      return false;
    }
    Matcher numbers = VERSION.matcher(version);
    if (!numbers.matches()) {
      return false;
    }
    int major = Integer.parseInt(numbers.group(1));
    return major < 3 || (major == 3 && Integer.parseInt(numbers.group(2)) < 7);
  }

  /**
   * PostgreSQL leaves columns out of an update, and of the insert that a changed key becomes, which
   * names the old key in a header. A row of a snapshot and every other insert have them all. The
   * headers count only where others of Debezium's show that nobody took them away.
   */
  private static boolean isWholeOfPostgres(RawRecord record, @Nullable String op) {
    return "r".equals(op)
        || ("c".equals(op)
            && !record.headers().containsKey(OLD_KEY)
            && record.headers().keySet().stream().anyMatch(name -> name.startsWith(CONTEXT)));
  }
}
