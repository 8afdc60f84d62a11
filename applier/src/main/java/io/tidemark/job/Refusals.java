package io.tidemark.job;

import io.tidemark.change.TopicPartition;
import io.tidemark.commit.Retention;
import io.tidemark.config.Settings;
import io.tidemark.config.TableRoute;
import io.tidemark.debezium.DecodeResult;
import io.tidemark.debezium.RawRecord;
import io.tidemark.flink.Decoder;
import io.tidemark.flink.RawRecordDeserializer;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Which records a job does not apply where {@code errors.policy} lets it go on: asked of the
 * decoder that the job has, as it starts now.
 *
 * <p>A gate also puts aside what lies before the horizon and finds its key unknown. What it knew
 * then is not known here, only what the horizon cannot have been above: a partition's horizon
 * follows the newest change that was read of it, and never falls.
 *
 * <p>Records of a partition must come in the order of their offsets. Not thread-safe.
 */
public final class Refusals {
  private final Decoder decoder;
  private final Retention retention;
  private final long horizonMicros;
  private final Map<TopicPartition, Long> newest = new HashMap<>();

  /**
   * A record that a job does not apply.
   *
   * @param reason what was found, and what was expected; no row values
   * @param certain whether every job with these settings puts it aside, before it has a rank;
   *     otherwise it has one, and is put aside only where its key was not known
   */
  public record Refused(String reason, boolean certain) {}

  private Refusals(Decoder decoder, Retention retention, long horizonMicros) {
    this.decoder = decoder;
    this.retention = retention;
    this.horizonMicros = horizonMicros;
  }

  /**
   * Those of a table that has a record.
   *
   * @param horizon of the record up to which the log is read; null for none
   * @throws io.tidemark.failure.RefusedException if a job of the settings would not start
   * @throws io.tidemark.config.ConfigException the same
   */
  public static Refusals of(Settings settings, TableRoute route, @Nullable LocalDate horizon) {
    return new Refusals(
        Planner.planRepair(settings, route, false).decoders().open(),
        new Retention(settings.tombstones().retentionDays()),
        Retention.micros(horizon));
  }

  /** Null if the job applies the record, or has nothing to apply. */
  public @Nullable Refused of(ConsumerRecord<byte[], byte[]> record) {
    RawRecord raw = RawRecordDeserializer.rawRecord(record);
    DecodeResult result = decoder.decode(raw);
    if (result instanceof DecodeResult.Malformed bad) {
      return new Refused(bad.problem(), true);
    }
    return result instanceof DecodeResult.Decoded decoded && isLate(decoded, raw)
        ? new Refused(
            "the change was made before a horizon that the table may have had by then, and is left out"
                + " where nothing was known of its key (tombstones.retention)",
            false)
        : null;
  }

  private boolean isLate(DecodeResult.Decoded decoded, RawRecord raw) {
    long madeAt = decoded.sourceTimeMicros();
    TopicPartition partition = new TopicPartition(raw.at().topic(), raw.at().partition());
    long reached = newest.merge(partition, madeAt, Math::max);
    return madeAt < Math.min(horizonMicros, retention.horizonMicros(reached));
  }
}
