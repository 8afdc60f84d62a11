package io.tidemark.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.oracle.RawEvent;
import io.tidemark.oracle.RawLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All that a log says of some keys, in Kafka's order and without a value of a row: it shows whether
 * a wrong row is the source's or was made here.
 */
final class KeyHistory {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> SOURCE =
      List.of("snapshot", "file", "pos", "row", "gtid", "lsn", "sequence", "txId", "ts_ms");

  private KeyHistory() {}

  /** A line for each record of each of these values of {@code id}. */
  static String of(RawLog log, Collection<Long> ids) {
    return ids.stream()
        .flatMap(
            id ->
                Stream.concat(
                    Stream.of("log of id " + id + ":"),
                    log.events().stream()
                        .filter(event -> id(event) == id)
                        .map(event -> "  " + line(event))))
        .collect(Collectors.joining("\n"));
  }

  private static long id(RawEvent event) {
    return payload(event.key()).path("id").asLong(Long.MIN_VALUE);
  }

  private static String line(RawEvent event) {
    JsonNode payload = payload(event.value());
    JsonNode source = payload.path("source");
    return SOURCE.stream()
        .filter(source::hasNonNull)
        .map(name -> " " + name + "=" + source.path(name).asText())
        .collect(
            Collectors.joining(
                "", event.place() + " op=" + payload.path("op").asText("tombstone"), ""));
  }

  private static JsonNode payload(byte[] json) {
    try {
      return JSON.readTree(json == null ? new byte[0] : json).path("payload");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
