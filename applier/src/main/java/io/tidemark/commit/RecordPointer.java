package io.tidemark.commit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.failure.RefusedException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A copy of the newest record that outlives the expiry of its snapshot, kept as a table property.
 *
 * @param snapshotId the snapshot that carried the record
 * @param sequenceNumber that of the snapshot: a snapshot with a lower one was made before it; zero
 *     if an earlier build wrote the pointer, which did not say
 * @param summary the record as {@link RecordCodec} wrote it
 */
public record RecordPointer(long snapshotId, long sequenceNumber, Map<String, String> summary) {
  /** The table property. */
  public static final String PROPERTY = RecordCodec.PREFIX + "record";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SNAPSHOT = "snapshot-id";
  private static final String SEQUENCE_NUMBER = "sequence-number";

  public RecordPointer {
    summary = Map.copyOf(summary);
  }

  /** One JSON object: the summary's properties, and the snapshot's id and sequence number. */
  public String toJson() {
    ObjectNode json = JSON.createObjectNode();
    json.put(SNAPSHOT, snapshotId);
    if (sequenceNumber != 0) {
      json.put(SEQUENCE_NUMBER, sequenceNumber);
    }
    new TreeMap<>(summary).forEach(json::put);
    return json.toString();
  }

  /**
   * Reads what {@link #toJson()} wrote.
   *
   * @throws RefusedException if it cannot be read
   */
  public static RecordPointer parse(String json) {
    JsonNode tree;
    try {
      tree = JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw RefusedException.damagedRecord(
          "The table property " + PROPERTY + " is no JSON: " + json);
    }
    if (!tree.path(SNAPSHOT).isIntegralNumber()) {
      throw RefusedException.damagedRecord(
          "The table property " + PROPERTY + " lacks " + SNAPSHOT + ": " + json);
    }
    Map<String, String> summary = new TreeMap<>();
    tree.properties()
        .forEach(
            property -> {
              if (!List.of(SNAPSHOT, SEQUENCE_NUMBER).contains(property.getKey())) {
                summary.put(property.getKey(), property.getValue().asText());
              }
            });
    return new RecordPointer(
        tree.path(SNAPSHOT).longValue(), tree.path(SEQUENCE_NUMBER).asLong(), summary);
  }
}
