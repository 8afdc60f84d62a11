package io.tidemark.debezium.value;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.corpus.TextRow;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import io.tidemark.row.Column;
import io.tidemark.row.ColumnType;
import io.tidemark.row.RowShape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Renders the page that says what becomes of types and values. Types come from the schemas that
 * Debezium sends, outcomes from the converters; only the words around them are written here.
 */
final class TypesPage {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * One way in which a source sends a type.
   *
   * @param source the source's types
   * @param mode the connector's setting; empty for its default
   * @param schema as the converter writes it
   */
  private record Sent(String source, String mode, String schema) {}

  private TypesPage() {}

  /** The page. */
  static String render() {
    StringBuilder page = new StringBuilder(TypesText.HEAD);
    table(page, "### PostgreSQL", TypesCases.POSTGRES);
    table(page, "### MySQL and MariaDB", TypesCases.MYSQL);
    page.append(TypesText.MONGODB);
    page.append(TypesText.NOT_RUN);
    table(page, "### SQL Server", TypesCases.SQL_SERVER);
    table(page, "### Oracle", TypesCases.ORACLE);
    table(page, "### Db2", TypesCases.DB2);
    table(page, "### Vitess", TypesCases.VITESS);
    table(page, "### Others", TypesCases.OTHERS);
    page.append(TypesText.afterTypes());
    page.append("| column | value sent | what is said of it |\n|---|---|---|\n");
    for (String value : TypesCases.UNREPRESENTABLE) {
      String[] parts = value.split(" \\| ");
      page.append(
          "| `%s` | `%s` | %s |\n".formatted(parts[0], parts[1], outcome(parts[0], parts[1])));
    }
    page.append(TypesText.AFTER_VALUES);
    page.append(TypesText.NO_PLACEHOLDER);
    withoutPlaceholder(page);
    page.append(TypesText.AFTER_NO_PLACEHOLDER);
    return page.toString();
  }

  /** A line for all types of which the same is true. */
  private static void withoutPlaceholder(StringBuilder page) {
    Map<String, List<String>> lines = new LinkedHashMap<>();
    for (NoPlaceholder known : NoPlaceholder.ALL) {
      String modes =
          known.modes().stream().sorted().map(mode -> "`" + mode + "`").collect(joining(", "));
      String facts =
          "%s | %s | %s | %s |\n"
              .formatted(
                  known.key().isEmpty() ? "any" : "`" + known.key() + "` " + modes,
                  known.signs().isEmpty() ? "no" : "yes",
                  known.fails() ? "yes" : "no",
                  known.run() ? "yes" : "no: Debezium's code says so");
      lines.computeIfAbsent(facts, none -> new ArrayList<>()).add("`" + known.type() + "`");
    }
    lines.forEach(
        (facts, types) ->
            page.append("| ").append(String.join(", ", types)).append(" | ").append(facts));
  }

  private static void table(StringBuilder page, String title, List<String> lines) {
    page.append('\n').append(title).append("\n\n");
    page.append(
        "| source | setting | in the message | column | written as |\n|---|---|---|---|---|\n");
    for (String line : lines) {
      String[] parts = line.split(" \\| ", -1);
      Sent sent = new Sent(parts[0], parts[1], parts[2]);
      page.append(
          "| %s | %s | %s | %s |\n"
              .formatted(sent.source(), sent.mode(), name(sent.schema()), column(sent.schema())));
    }
  }

  /** Logical name, or Connect type. */
  private static String name(String schema) {
    try {
      var tree = JSON.readTree(schema);
      String name = tree.path("name").asText(tree.path("type").asText());
      return "`" + name.replaceAll("^(io\\.debezium|org\\.apache\\.kafka\\.connect)\\.", "") + "`";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String column(String schema) {
    try {
      ColumnSpec spec = ConnectTypes.spec(JSON.readTree(schema));
      return "`%s` | `%s`".formatted(spec.type(), spec);
    } catch (Problem refused) {
      return "refused: " + refused.text() + " |";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The problem that the converter has with a value. */
  private static String outcome(String spec, String json) {
    ColumnSpec wire = ColumnSpec.parse(spec);
    RowShape shape =
        new RowShape(
            List.of(
                new Column("k", ColumnType.Simple.INT, true), new Column("c", wire.type(), false)));
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    TextRow row = new TextRow(shape);
    row.start();
    try (JsonParser in = JsonInput.open(bytes, 0, bytes.length)) {
      in.nextToken();
      Converters.forColumn(wire, wire.type(), new RowBudget()).convert(in, row, 1);
    } catch (Unrepresentable value) {
      return value.text();
    } catch (Problem | IOException e) {
      throw new IllegalStateException(spec + " " + json, e);
    }
    throw new IllegalStateException(spec + " holds " + json);
  }
}
