package io.tidemark.format;

import io.tidemark.config.Settings;
import io.tidemark.iceberg.RowQuery;
import io.tidemark.iceberg.TableReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.data.Record;
import org.apache.kafka.connect.data.Field;

/** What a table of {@link GeneratedChanges} holds, as text. */
final class RowText {
  private RowText() {}

  /**
   * By id all columns of the rows that a table shows, where several are of one id one after
   * another.
   */
  static Map<Long, String> byId(Settings settings, String table) throws IOException {
    Map<Long, String> rows = new TreeMap<>();
    try (TableReader reader = TableReader.open(settings.catalog(), table)) {
      reader.read(
          RowQuery.ALL,
          row -> {
            StringBuilder text = new StringBuilder();
            for (Field field : GeneratedChanges.ROW.fields()) {
              text.append(field.name())
                  .append('=')
                  .append(text(row.getField(field.name())))
                  .append(' ');
            }
            text.append(row.getField("_commit_version")).append(row.getField("_source_ts"));
            rows.merge((Long) row.getField("id"), text.toString(), String::concat);
          });
    }
    return rows;
  }

  private static String text(Object value) {
    if (value instanceof ByteBuffer bytes) {
      byte[] copy = new byte[bytes.remaining()];
      bytes.duplicate().get(copy);
      return HexFormat.of().formatHex(copy);
    }
    if (value instanceof Record struct) {
      List<String> parts = new ArrayList<>();
      for (int i = 0; i < struct.size(); i++) {
        parts.add(text(struct.get(i)));
      }
      return parts.toString();
    }
    if (value instanceof List<?> list) {
      return list.stream().map(RowText::text).toList().toString();
    }
    return String.valueOf(value);
  }
}
