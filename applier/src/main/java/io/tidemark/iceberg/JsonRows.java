package io.tidemark.iceberg;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.IOException;
import java.io.Writer;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Types;

/** One JSON object a line, with every column. */
public final class JsonRows implements RowFormat {
  private final Schema columns;
  private final Writer out;
  private final JsonGenerator json;

  /**
   * Rows with these columns.
   *
   * @param out flushed at the end, not closed
   */
  public JsonRows(Schema columns, Writer out) throws IOException {
    this.columns = columns;
    this.out = out;
    this.json =
        ValueText.JSON.createGenerator(out).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.setPrettyPrinter(new MinimalPrettyPrinter(""));
  }

  @Override
  public void row(Record row) throws IOException {
    json.writeStartObject();
    for (Types.NestedField column : columns.columns()) {
      json.writeFieldName(column.name());
      ValueText.json(json, row.getField(column.name()));
    }
    json.writeEndObject();
    json.writeRaw('\n');
  }

  @Override
  public void end() throws IOException {
    json.flush();
    out.flush();
  }
}
