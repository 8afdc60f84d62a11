package io.tidemark.processes;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The jar that goes to a cluster, as the build made it. */
final class ClusterJar {
  static final String NAME = "tidemark-cluster.jar";

  private ClusterJar() {}

  static Path path() {
    Path jar =
        Path.of("..", "applier")
            .resolve(buildDirectory())
            .resolve(NAME)
            .toAbsolutePath()
            .normalize();
    if (!Files.exists(jar)) {
      throw new AssertionError(
          "mvn verify makes the cluster jar before it runs these tests, and so does mvn package; no "
              + jar);
    }
    return jar;
  }

  /** Where this build puts what it makes, seen from a module: {@code target}, or below it. */
  static Path buildDirectory() {
    try {
      Path classes =
          Path.of(ClusterJar.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return Path.of("").toAbsolutePath().relativize(classes.getParent());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
