package io.tidemark.replay;

import io.tidemark.change.SourceOffset;
import io.tidemark.debezium.DecoderSettings;
import io.tidemark.debezium.EnvelopeDecoder;
import io.tidemark.debezium.OnTruncate;
import io.tidemark.debezium.RawRecord;
import io.tidemark.debezium.ShapeReader;
import io.tidemark.debezium.ShapeResult;
import io.tidemark.flink.Decoder;
import io.tidemark.flink.row.BinaryRowEncoder;
import io.tidemark.oracle.RawEvent;
import io.tidemark.oracle.RawLog;
import io.tidemark.row.RowShape;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A log as the job's source hands it on.
 *
 * @param partitions by partition the records, in order
 * @param shape of the rows in the messages
 */
record LogRecords(Map<Integer, List<RawRecord>> partitions, RowShape shape) {

  static LogRecords of(RawLog log) {
    Map<Integer, List<RawRecord>> partitions = partitions(log);
    return new LogRecords(partitions, shape(partitions));
  }

  /** The records of a log whose messages need not say their columns. */
  static LogRecords of(RawLog log, RowShape shape) {
    return new LogRecords(partitions(log), shape);
  }

  private static Map<Integer, List<RawRecord>> partitions(RawLog log) {
    Map<Integer, List<RawRecord>> partitions = new TreeMap<>();
    for (RawEvent event : log.events()) {
      partitions.computeIfAbsent(event.partition(), p -> new ArrayList<>()).add(record(event));
    }
    return partitions;
  }

  /** The decoders that the job would use for rows of this shape, with {@code truncate: ignore}. */
  static Decoder.Factory decoders(RowShape shape) {
    return () -> {
      EnvelopeDecoder decoder =
          new EnvelopeDecoder(
              shape,
              DecoderSettings.DEFAULTS.withOnTruncate(OnTruncate.IGNORE),
              new BinaryRowEncoder(shape));
      return decoder::decode;
    };
  }

  private static RowShape shape(Map<Integer, List<RawRecord>> partitions) {
    ShapeReader reader = new ShapeReader(List.of(), Map.of());
    for (List<RawRecord> records : partitions.values()) {
      for (RawRecord record : records) {
        if (reader.read(record) instanceof ShapeResult.Discovered found) {
          return found.shape();
        }
      }
    }
    throw new IllegalStateException("No record has a schema");
  }

  static RawRecord record(RawEvent event) {
    Map<String, byte[]> headers = new HashMap<>();
    event.headers().forEach((name, value) -> headers.put(name, utf8(value)));
    return new RawRecord(
        new SourceOffset(event.topic(), event.partition(), event.offset()),
        0,
        event.key(),
        event.value(),
        headers);
  }

  private static byte @Nullable [] utf8(@Nullable String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }
}
