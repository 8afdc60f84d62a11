package io.tidemark.commit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.tidemark.change.PartitionProgress;
import io.tidemark.change.TopicPartition;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one partition as one JSON object, with the keys and forms that the record has.
 */
public final class ProgressText {
  private static final ObjectMapper JSON = new ObjectMapper();

  private ProgressText() {}

  /** Writes it. */
  public static String of(TopicPartition partition, PartitionProgress known) {
    ProgressJson json = ProgressJson.of(new Progress(Map.of(partition, known)));
    ObjectNode all = JSON.createObjectNode();
    all.putRawValue("offsets", new RawValue(json.offsets()));
    all.putRawValue("origin", new RawValue(json.origin()));
    all.putRawValue("high-water", new RawValue(json.highWater()));
    all.putRawValue("generations", new RawValue(json.generations()));
    all.putRawValue("epochs", new RawValue(json.epochs()));
    return all.toString();
  }

  /**
   * Reads it.
   *
   * @return null if it says nothing of the partition
   * @throws IllegalArgumentException if the text has another form
   */
  public static @Nullable PartitionProgress parse(TopicPartition partition, String text) {
    try {
      JsonNode all = JSON.readTree(text);
      return new ProgressJson(
              all.path("offsets").toString(),
              all.path("origin").toString(),
              all.path("high-water").toString(),
              all.path("generations").toString(),
              all.path("epochs").toString(),
              "{}",
              "{}")
          .parse()
          .partitions()
          .get(partition);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no JSON", e);
    }
  }
}
