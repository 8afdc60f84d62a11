package io.tidemark.replay;

import io.tidemark.fault.Parts;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which bug is tried in which tier, beside the one in which {@link PlantedBugsTest} kills it, and
 * what the tier's check says of it. docs/testing.md says why the others are not. Bugs of the ledger
 * and the writer are tried in the tier of tables, too, in a list of its own: {@code TablePlant} of
 * the applier's tests, which have none of these parts.
 */
enum PlantedBug {
  LSN_ALONE(
      SourcePlants.LSN_ALONE,
      Trial.required(Tier.PURE, "I1, I2: expected .*, is"),
      Trial.required(Tier.EPOCHS, Says.LOST),
      Trial.required(Tier.RECORDINGS, Says.NOT_THE_DATABASES),
      Trial.required(Tier.POSTGRES, Says.OTHER_ROW),
      Trial.required(Tier.CLUSTER, ".*I[24] ")),

  SNAPSHOT_AT_ITS_OWN_POSITION(
      SourcePlants.SNAPSHOT_AT_ITS_OWN_POSITION,
      Trial.required(Tier.PURE, "I1, I2: expected .*, is"),
      Trial.required(Tier.EPOCHS, Says.LOST),
      Trial.required(Tier.RECORDINGS, Says.NOT_THE_DATABASES),
      Trial.required(Tier.POSTGRES, Says.OTHER_ROW),
      Trial.counted(Tier.CLUSTER, ".*" + Says.LOST)),

  CHUNK_AT_ITS_OWN_LSN(
      SourcePlants.CHUNK_AT_ITS_OWN_LSN, Trial.required(Tier.POSTGRES, Says.CHUNK_ABOVE)),

  ROW_IN_ITS_EVENT(SourcePlants.ROW_IN_ITS_EVENT, Trial.required(Tier.MARIADB, Says.OTHER_ROW)),

  ROW_LEVEL_FOLD(
      Plants.ROW_LEVEL_FOLD,
      Trial.required(Tier.PURE, "I1, I2: expected .*, is"),
      Trial.required(Tier.RECORDINGS, "I2 .*}[.][a-z_]+ is null, expected"),
      Trial.required(Tier.POSTGRES, Says.OTHER_ROW)),

  STRICTLY_GREATER(
      Plants.STRICTLY_GREATER,
      Trial.required(Tier.PURE, "I1, I2: .* is too much"),
      Trial.required(Tier.EPOCHS, Says.LOST),
      Trial.required(Tier.RECORDINGS, Says.LOST)),

  DELETES_FIRST(
      Plants.DELETES_FIRST,
      Trial.required(Tier.PURE, "I1, I2: missing"),
      Trial.required(Tier.EPOCHS, Says.MISSING),
      Trial.required(Tier.RECORDINGS, Says.MISSING)),

  NULL_IS_A_DELETE(
      Plants.NULL_IS_A_DELETE,
      Trial.required(Tier.PURE, "The oracle has no change where the decoder has one"),
      Trial.required(Tier.EPOCHS, Says.MISSING),
      Trial.required(Tier.RECORDINGS, Says.MISSING),
      Trial.counted(Tier.CLUSTER, ".*" + Says.MISSING)),

  FORGOTTEN_TOMBSTONE(
      Plants.FORGOTTEN_TOMBSTONE,
      Trial.required(Tier.EPOCHS, Says.NO_TOMBSTONE),
      Trial.required(Tier.RECORDINGS, Says.NO_TOMBSTONE),
      Trial.required(Tier.CLUSTER, ".*I5 .*no tombstone for")),

  ELIDED_DELETE(
      Plants.ELIDED_DELETE,
      Trial.required(Tier.EPOCHS, Says.TWICE),
      Trial.required(Tier.RECORDINGS, Says.TWICE),
      Trial.required(Tier.CLUSTER, ".*" + Says.TWICE)),

  FILES_LEFT(Plants.FILES_LEFT, Trial.required(Tier.CLUSTER, ".*I10: .* left behind")),

  MERGED_BATCHES(
      Plants.MERGED_BATCHES,
      Trial.required(Tier.EPOCHS, Says.TWICE),
      Trial.counted(Tier.RECORDINGS, Says.TWICE),
      Trial.counted(Tier.CLUSTER, ".*" + Says.TWICE)),

  ABORTED_WITH_RECORD(
      Plants.ABORTED_WITH_RECORD,
      Trial.required(Tier.EPOCHS, Says.LOST),
      Trial.counted(Tier.RECORDINGS, Says.LOST),
      Trial.counted(Tier.CLUSTER, ".*" + Says.MISSING)),

  CHECKPOINT_AS_IDENTITY(
      Plants.CHECKPOINT_AS_IDENTITY,
      Trial.required(Tier.EPOCHS, Says.LOST),
      Trial.counted(Tier.RECORDINGS, Says.LOST),
      Trial.counted(Tier.CLUSTER, ".*" + Says.MISSING)),

  OLD_PARTITION_IGNORED(
      Plants.OLD_PARTITION_IGNORED, Trial.counted(Tier.CLUSTER, ".*" + Says.TWICE)),

  GROUP_OFFSETS(
      Plants.GROUP_OFFSETS,
      Trial.required(Tier.EPOCHS, Says.LOST),
      Trial.required(Tier.RECORDINGS, Says.LOST)),

  NO_SWAP(
      Plants.NO_SWAP,
      Trial.required(Tier.EPOCHS, Says.NOT_REFUSED),
      Trial.counted(Tier.RECORDINGS, Says.REFUSED)),

  NO_FENCE(
      Plants.NO_FENCE,
      Trial.required(Tier.EPOCHS, Says.NOT_REFUSED),
      Trial.counted(Tier.RECORDINGS, Says.TWICE)),

  HORIZON_OF_A_CLOCK(
      ForgettingPlants.HORIZON_OF_A_CLOCK,
      Trial.required(Tier.EPOCHS, Says.HORIZON),
      Trial.required(Tier.RECORDINGS, Says.HORIZON)),

  LIVE_KEYS_FORGOTTEN(
      ForgettingPlants.LIVE_KEYS_FORGOTTEN,
      Trial.required(Tier.EPOCHS, Says.TWICE),
      Trial.required(Tier.RECORDINGS, Says.TWICE),
      Trial.counted(Tier.CLUSTER, ".*" + Says.TWICE));

  /** Where bugs are tried. */
  enum Tier {
    PURE(1, 40),
    EPOCHS(0.4, 40),
    /** Rounds of all recorded tables. */
    RECORDINGS(0.01, 1),
    CLUSTER(0.04, 1),
    POSTGRES(0.02, 1),
    MARIADB(0.02, 1);

    private final double share;
    private final long enough;

    /**
     * A tier.
     *
     * @param share how many of the night's runs of a bug it gets, by how long one takes there
     * @param enough so many runs must have one that shows a bug which is required; of fewer, as a
     *     part of a night has, it is only counted
     */
    Tier(double share, long enough) {
      this.share = share;
      this.enough = enough;
    }

    /** How many runs it has now; 0 on every change, but for the pure one. */
    long runs() {
      long nightly = Math.round((Runs.count("bugs") - 1) * share);
      return this == PURE ? Math.max(enough, nightly) : nightly;
    }

    boolean isEnough(long runs) {
      return runs >= enough;
    }
  }

  /** What checks say of several bugs. */
  private static final class Says {
    static final String MISSING = "I2 .*: missing .*, expected";
    static final String LOST =
        "I2 .*(: missing .*, expected"
            + "|: row that the log does not have"
            + "|}[.][a-z_]+ is [^n{].*, expected)";
    static final String NOT_THE_DATABASES = "the database: ";
    static final String TWICE = "I3 .* live rows";
    static final String NO_TOMBSTONE = "I5 .*no tombstone for .*found \\[]";
    static final String HORIZON = "I6: the horizon is .*, the slowest partition was at";
    static final String REFUSED =
        "the run failed: .*CommitRefusedException: Commit .* records .* up to .*, below .*";
    static final String NOT_REFUSED = "the run failed: .*Expecting code to raise a throwable";
    static final String OTHER_ROW = ".*database \\[.*, table \\[";
    static final String CHUNK_ABOVE =
        ".*I2 .* has version position (\\S+)/[1-9]\\S*/0, offset \\S+, expected position \\1/0/0,";
  }

  /**
   * A bug in a tier.
   *
   * @param says regular expression that one finding must match from its beginning; whatever else
   *     goes wrong counts for nothing
   * @param required whether the runs of a night together must show it; how often they do is counted
   *     for all
   */
  record Trial(Tier tier, Pattern says, boolean required) {

    private static Trial required(Tier tier, String says) {
      return new Trial(tier, Pattern.compile(says, Pattern.DOTALL), true);
    }

    private static Trial counted(Tier tier, String says) {
      return new Trial(tier, Pattern.compile(says, Pattern.DOTALL), false);
    }

    boolean sees(List<String> findings) {
      return findings.stream().anyMatch(finding -> says.matcher(finding).lookingAt());
    }
  }

  private final Parts parts;
  private final List<Trial> trials;

  PlantedBug(Parts parts, Trial... trials) {
    this.parts = parts;
    this.trials = List.of(trials);
  }

  Parts parts() {
    return parts;
  }

  /** Null if it is not tried there. */
  @Nullable Trial in(Tier tier) {
    return trials.stream().filter(trial -> trial.tier() == tier).findFirst().orElse(null);
  }

  /** All that are tried in a tier. */
  static Map<PlantedBug, Trial> triedIn(Tier tier) {
    Map<PlantedBug, Trial> tried = new EnumMap<>(PlantedBug.class);
    for (PlantedBug bug : values()) {
      Trial trial = bug.in(tier);
      if (trial != null) {
        tried.put(bug, trial);
      }
    }
    return tried;
  }
}
