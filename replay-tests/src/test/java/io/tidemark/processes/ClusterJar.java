package io.tidemark.processes;

import java.nio.file.Files;
import java.nio.file.Path;

/** The jar that goes to a cluster, as the build made it. */
final class ClusterJar {
  static final String NAME = "tidemark-cluster.jar";

  private ClusterJar() {}

  static Path path() {
    Path jar =
        Path.of(System.getProperty("tidemark.cluster.jar", "../applier/target/" + NAME))
            .toAbsolutePath()
            .normalize();
    if (!Files.exists(jar)) {
      throw new AssertionError(
          "The cluster jar is made by mvn package, which runs before these tests in mvn verify; or"
              + " name it with -Dtidemark.cluster.jar: no "
              + jar);
    }
    return jar;
  }
}
