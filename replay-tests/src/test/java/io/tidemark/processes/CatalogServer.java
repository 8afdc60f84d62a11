package io.tidemark.processes;

import io.tidemark.sandbox.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Iceberg's REST catalog server in a process of its own, on the JDBC catalog with a SQLite file: a
 * commit is a compare-and-swap there, and is kept when the server is killed.
 */
public final class CatalogServer implements AutoCloseable {
  private final Path dir;
  private final int port = Ports.free();
  private ChildJvm process;

  private CatalogServer(Path dir) {
    this.dir = dir;
    this.process = launch();
  }

  /**
   * Starts one; {@link #awaitReady} waits for it.
   *
   * @param dir for the warehouse, the catalog and the log
   */
  public static CatalogServer start(Path dir) {
    try {
      Files.createDirectories(dir.resolve("warehouse"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new CatalogServer(dir);
  }

  private ChildJvm launch() {
    return ChildJvm.start(
        new ChildJvm.Command(
            "catalog",
            dir,
            192,
            classPath(),
            "org.apache.iceberg.rest.RESTCatalogServer",
            List.of(),
            Map.of(
                "CATALOG_WAREHOUSE",
                warehouse().toUri().toString(),
                "CATALOG_URI",
                "jdbc:sqlite:" + dir.resolve("catalog.db"),
                "CATALOG_REST_PORT",
                String.valueOf(port))));
  }

  /** Gathered apart, because its jars have the classes of Iceberg's runtime jar. */
  private static String classPath() {
    Path file =
        System.getProperty("tidemark.catalog.classpath") == null
            ? ClusterJar.buildDirectory().resolve("catalog.classpath")
            : Path.of(System.getProperty("tidemark.catalog.classpath"));
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(
          "The catalog server's jars are gathered by a whole build (mvn verify), or name a file"
              + " with -Dtidemark.catalog.classpath: no "
              + file.toAbsolutePath(),
          e);
    }
  }

  Path warehouse() {
    return dir.resolve("warehouse");
  }

  public int port() {
    return port;
  }

  ChildJvm process() {
    return process;
  }

  /** After a kill. */
  void restart() {
    process = launch();
    awaitReady();
  }

  /** Waits until it answers. */
  public void awaitReady() {
    HttpClient http = HttpClient.newHttpClient();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/config")).build();
    Await.until(
        "the catalog server answers",
        () -> {
          try {
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
          } catch (IOException e) {
            return false;
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        },
        process::tail);
  }

  @Override
  public void close() {
    process.close();
  }
}
