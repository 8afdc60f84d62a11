package io.tidemark.replay;

import io.tidemark.job.RunOptions;
import io.tidemark.job.TestCluster;
import io.tidemark.job.TestJob;
import io.tidemark.oracle.Epochs;
import io.tidemark.replay.PlantedBug.Trial;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.util.ExceptionUtils;

/**
 * Jobs with a bug each, beside the right one of a {@link DatabaseRun}: on the same topic, each with
 * a table of its own, which is compared with the database and with the log at the same rests, until
 * a comparison says what the bug must lead to.
 */
final class PlantedJobs implements AtRest {

  private final TestCluster cluster;
  private final Path directory;
  private final Map<PlantedBug, Trial> left;
  private final Set<PlantedBug> caught = EnumSet.noneOf(PlantedBug.class);

  /**
   * Nothing is started before the first rest.
   *
   * @param directory for the tables
   */
  PlantedJobs(TestCluster cluster, Path directory, Map<PlantedBug, Trial> trials) {
    this.cluster = cluster;
    this.directory = directory;
    this.left = new EnumMap<>(trials);
  }

  /** Those of which the check said what their bug must lead to. */
  Set<PlantedBug> caught() {
    return caught;
  }

  @Override
  public void look(String when, Connection database, ReplayJob right) {
    for (PlantedBug bug : List.copyOf(left.keySet())) {
      try {
        run(bug, when, database, right);
      } catch (Exception | AssertionError e) {
        String found = ExceptionUtils.stringifyException(e);
        if (left.get(bug).sees(List.of(found))) {
          left.remove(bug);
          caught.add(bug);
          System.out.println(bug + ": caught " + when + ": " + found);
        }
      }
    }
  }

  private void run(PlantedBug bug, String when, Connection database, ReplayJob right)
      throws Exception {
    Path own = directory.resolve(bug.name());
    ReplayJob job = right.in(Map.of("type", "hadoop", "warehouse", own.toUri().toString()));
    try (TestJob running = cluster.submit(job.settings(), RunOptions.catchUp(), bug.parts())) {
      running.await();
    }
    new OrdersComparison().requireSame(when, database, job, Epochs.NONE);
    job.invariants().everySnapshot();
  }
}
