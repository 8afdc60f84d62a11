package io.tidemark.corpus;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.change.SourceOffset;
import io.tidemark.debezium.RawRecord;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A recorded event log with the database's own answer.
 *
 * @param records in the order of emission
 * @param truth by table ({@code schema.table}): the final rows, as JSON
 * @param truthText the same with every column cast to text
 */
public record Corpus(List<RawRecord> records, JsonNode truth, JsonNode truthText) {
  private static final ObjectMapper JSON =
      new ObjectMapper(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNumberLength(10_000).build())
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  private static final Map<String, Corpus> LOADED = new ConcurrentHashMap<>();

  /** One on the class path, read once. */
  public static Corpus load(String name) {
    return LOADED.computeIfAbsent(name, Corpus::read);
  }

  private static Corpus read(String name) {
    String folder = "/corpora/" + name + "/";
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(open(folder + "events.jsonl"), StandardCharsets.UTF_8))) {
      List<RawRecord> records = new ArrayList<>();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        records.add(record(JSON.readTree(line)));
      }
      return new Corpus(
          records,
          JSON.readTree(open(folder + "truth.json")),
          JSON.readTree(open(folder + "truth_text.json")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Of a recording in Avro: by id the schemas that the registry had. */
  public static Map<Long, String> schemas(String name) {
    try {
      Map<Long, String> schemas = new HashMap<>();
      JSON.readTree(open("/corpora/" + name + "/schemas.json"))
          .properties()
          .forEach(
              e -> schemas.put(Long.valueOf(e.getKey()), e.getValue().get("schema").toString()));
      return schemas;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The records of one topic. */
  public List<RawRecord> of(String topic) {
    return records.stream().filter(record -> record.at().topic().equals(topic)).toList();
  }

  private static RawRecord record(JsonNode line) {
    Map<String, byte[]> headers = new HashMap<>();
    line.path("headers").properties().forEach(h -> headers.put(h.getKey(), utf8(h.getValue())));
    return new RawRecord(
        new SourceOffset(
            line.path("topic").asText(),
            line.path("partition").asInt(),
            line.path("offset").asLong()),
        0,
        bytes(line, "key"),
        bytes(line, "value"),
        headers);
  }

  private static byte @Nullable [] bytes(JsonNode line, String name) {
    JsonNode base64 = line.path(name + "_b64");
    return base64.isTextual() ? Base64.getDecoder().decode(base64.asText()) : utf8(line.path(name));
  }

  private static byte @Nullable [] utf8(JsonNode text) {
    return text.isTextual() ? text.asText().getBytes(StandardCharsets.UTF_8) : null;
  }

  private static InputStream open(String path) {
    return Objects.requireNonNull(Corpus.class.getResourceAsStream(path), path);
  }
}
