package io.tidemark.replay;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.oracle.RawEvent;
import io.tidemark.oracle.Schemas;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table of a recorded event log, with the database's own answer.
 *
 * @param events the records of its topic in the order of their emission
 * @param key names of the key's columns
 * @param truth by the key's text, see {@link Truth#name}, the final rows as JSON
 * @param texts by the same the rows with each column cast to text
 */
public record Corpus(
    List<RawEvent> events,
    List<String> key,
    Map<String, JsonNode> truth,
    Map<String, JsonNode> texts) {

  private static final Path FOLDER =
      Path.of(System.getProperty("tidemark.corpora", "../connectors/src/test/resources/corpora"));
  private static final Map<String, Corpus> READ = new ConcurrentHashMap<>();
  private static final Pattern TOPIC = Pattern.compile("\"topic\": ?\"src\\.(\\w+\\.\\w+)\"");
  private static final ObjectMapper JSON =
      new ObjectMapper(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNumberLength(10_000).build())
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  /**
   * Reads one whose key is {@code id}.
   *
   * @param table such as {@code shop.orders}
   */
  public static Corpus load(String name, String table) {
    return load(name, table, List.of("id"));
  }

  static Corpus load(String name, String table, List<String> key) {
    return READ.computeIfAbsent(name + " " + table, place -> read(name, table, key));
  }

  private static Corpus read(String name, String table, List<String> key) {
    Path folder = FOLDER.resolve(name);
    try (BufferedReader lines = Files.newBufferedReader(folder.resolve("events.jsonl"))) {
      List<RawEvent> events = new ArrayList<>();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        RawEvent event = event(JSON.readTree(line));
        if (event.topic().equals("src." + table)) {
          events.add(event);
        }
      }
      return new Corpus(
          List.copyOf(events),
          key,
          byKey(JSON.readTree(folder.resolve("truth.json").toFile()).path(table), key),
          byKey(JSON.readTree(folder.resolve("truth_text.json").toFile()).path(table), key));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the source loses of a recorded table: the lines of its list, if any, but the reasons. */
  static Set<String> lost(String table) {
    Path file = FOLDER.resolveSibling("lost").resolve(table + ".txt");
    if (!Files.exists(file)) {
      return Set.of();
    }
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .collect(Collectors.toCollection(TreeSet::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All tables that are recorded, each as {@link CorpusTable#place()} says it. */
  static Set<String> recorded() {
    Set<String> recorded = new TreeSet<>();
    try (Stream<Path> folders = Files.list(FOLDER).filter(Files::isDirectory)) {
      for (Path folder : folders.toList()) {
        try (Stream<String> lines = Files.lines(folder.resolve("events.jsonl"))) {
          lines
              .map(TOPIC::matcher)
              .filter(Matcher::find)
              .forEach(found -> recorded.add(folder.getFileName() + " " + found.group(1)));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return recorded;
  }

  /** The Avro schemas of a recording, by id. */
  static Schemas schemas(String name) {
    try {
      JsonNode schemas = JSON.readTree(FOLDER.resolve(name).resolve("schemas.json").toFile());
      return (kind, id) -> List.of(schemas.path(Long.toString(id)).path("schema").toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The fields of the row as the messages describe them. */
  public JsonNode columns() {
    try {
      for (RawEvent event : events) {
        if (event.value() != null) {
          for (JsonNode field : JSON.readTree(event.value()).path("schema").path("fields")) {
            if (field.path("field").asText().equals("after")) {
              return field.path("fields");
            }
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new IllegalStateException("No message has a schema");
  }

  private static Map<String, JsonNode> byKey(JsonNode rows, List<String> key) {
    Map<String, JsonNode> byKey = new TreeMap<>();
    rows.forEach(row -> byKey.put(Truth.name(key.stream().map(c -> row.path(c).asText())), row));
    return byKey;
  }

  private static RawEvent event(JsonNode line) {
    Map<String, String> headers = new TreeMap<>();
    line.path("headers").properties().forEach(h -> headers.put(h.getKey(), h.getValue().asText()));
    return new RawEvent(
        line.path("topic").asText(),
        line.path("partition").intValue(),
        line.path("offset").longValue(),
        bytes(line, "key"),
        bytes(line, "value"),
        headers);
  }

  /** A text as it was written, or base64 of what is none. */
  private static byte @Nullable [] bytes(JsonNode line, String part) {
    JsonNode binary = line.path(part + "_b64");
    if (binary.isTextual()) {
      return Base64.getDecoder().decode(binary.asText());
    }
    JsonNode text = line.path(part);
    return text.isTextual() ? text.asText().getBytes(StandardCharsets.UTF_8) : null;
  }
}
