package io.tidemark.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.change.Position;
import io.tidemark.change.SourcePosition;
import io.tidemark.debezium.DecodeResult;
import io.tidemark.debezium.RawRecord;
import io.tidemark.fault.Parts;
import io.tidemark.flink.Decoder;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Bugs in how a record's place in its source is read, each planted behind the decoder. */
final class SourcePlants {

  private static final ObjectMapper JSON = new ObjectMapper();

  private SourcePlants() {}

  /** What peers do: the position in the source's log decides, for rows of a snapshot too. */
  static final Parts LSN_ALONE =
      placed(
          (record, right) -> new SourcePosition.Stream(new Position(right.position().p2(), 0, 0)));

  /**
   * A row of a whole snapshot stands where the snapshot's own position says, and the transaction
   * that is streamed first after it at its own, too.
   */
  static final Parts SNAPSHOT_AT_ITS_OWN_POSITION =
      placed(
          (record, right) ->
              right instanceof SourcePosition.Snapshot || right instanceof SourcePosition.Opening
                  ? new SourcePosition.Stream(right.position())
                  : right);

  /** A row of PostgreSQL's incremental snapshots stands at the LSN that it names. */
  static final Parts CHUNK_AT_ITS_OWN_LSN =
      placed(
          (record, right) ->
              right instanceof SourcePosition.Incremental
                  ? new SourcePosition.Incremental(
                      new Position(right.position().p1(), chunkLsn(source(record)), 0))
                  : right);

  /** The third number of a binlog position is the row's in its event. */
  static final Parts ROW_IN_ITS_EVENT =
      placed(
          (record, right) ->
              right instanceof SourcePosition.Stream stream && source(record).has("row")
                  ? new SourcePosition.Stream(
                      new Position(
                          stream.position().p1(),
                          stream.position().p2(),
                          source(record).path("row").asLong()))
                  : right);

  private interface Placing extends Serializable {
    SourcePosition of(RawRecord record, SourcePosition right);
  }

  private static Parts placed(Placing placing) {
    return new Parts() {
      @Override
      public Decoder.Factory decoders(Decoder.Factory real) {
        return () -> {
          Decoder decoder = real.open();
          return record -> {
            DecodeResult result = decoder.decode(record);
            return result instanceof DecodeResult.Decoded d
                ? new DecodeResult.Decoded(
                    d.key(),
                    d.kind(),
                    placing.of(record, d.source()),
                    d.sourceTimeMicros(),
                    d.row(),
                    d.unsent(),
                    d.removed())
                : result;
          };
        };
      }
    };
  }

  private static long chunkLsn(JsonNode source) {
    return tree(source.path("sequence").asText().getBytes(StandardCharsets.UTF_8)).path(1).asLong();
  }

  private static JsonNode source(RawRecord record) {
    JsonNode message = tree(record.value());
    return (message.has("payload") ? message.path("payload") : message).path("source");
  }

  private static JsonNode tree(byte[] json) {
    try {
      return JSON.readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
