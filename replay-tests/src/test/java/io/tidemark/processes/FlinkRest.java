package io.tidemark.processes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks a job manager. */
final class FlinkRest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  private final int port;

  FlinkRest(int port) {
    this.port = port;
  }

  /** Registered slots; -1 if it does not answer. */
  int slots() {
    try {
      return get("/overview").path("slots-total").asInt(-1);
    } catch (IOException e) {
      return -1;
    }
  }

  /** {@code RUNNING}, {@code FAILED}, …; {@code UNKNOWN} if it does not answer or know the job. */
  String status(String job) {
    try {
      return get("/jobs/" + job + "/status").path("status").asText("UNKNOWN");
    } catch (IOException e) {
      return "UNKNOWN";
    }
  }

  /** Why a job failed last; empty if it did not. */
  String failure(String job) {
    try {
      JsonNode root = get("/jobs/" + job + "/exceptions");
      return root.path("root-exception").asText("")
          + root.path("exceptionHistory").path("entries").path(0).path("stacktrace").asText("");
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Task managers that are registered; -1 if it does not answer. */
  int taskManagers() {
    try {
      return get("/overview").path("taskmanagers").asInt(-1);
    } catch (IOException e) {
      return -1;
    }
  }

  /** Checkpoints that failed, and failures of tasks; 0 if it does not answer. */
  int troubles(String job) {
    try {
      int failed = get("/jobs/" + job + "/checkpoints").path("counts").path("failed").asInt();
      return failed
          + get("/jobs/" + job + "/exceptions").path("exceptionHistory").path("entries").size();
    } catch (IOException e) {
      return 0;
    }
  }

  /** Gives the savepoint's path. While tasks are being restarted Flink takes none. */
  String stopWithSavepoint(String job) {
    JsonNode[] operation = new JsonNode[1];
    Await.until(
        "a savepoint of " + job,
        () -> {
          operation[0] = savepoint(job).path("operation");
          return !operation[0].toString().contains("NOT_ALL_REQUIRED_TASKS_RUNNING")
              && !operation[0].toString().contains("Not all required tasks are currently running");
        },
        () -> String.valueOf(operation[0]));
    String path = operation[0].path("location").asText();
    if (path.isEmpty()) {
      throw new IllegalStateException(
          "No savepoint of " + job + ": " + operation[0].toString().substring(0, 1_000));
    }
    return path;
  }

  private JsonNode savepoint(String job) {
    try {
      String trigger =
          send(request("/jobs/" + job + "/stop")
                  .header("Content-Type", "application/json")
                  .POST(HttpRequest.BodyPublishers.ofString("{\"drain\": false}")))
              .path("request-id")
              .asText();
      JsonNode[] done = new JsonNode[1];
      Await.until(
          "an answer about a savepoint of " + job,
          () -> {
            try {
              done[0] = get("/jobs/" + job + "/savepoints/" + trigger);
              return done[0].path("status").path("id").asText().equals("COMPLETED");
            } catch (IOException e) {
              return false;
            }
          },
          () -> String.valueOf(done[0]));
      return done[0];
    } catch (IOException e) {
      throw new IllegalStateException("Job " + job + " could not be stopped", e);
    }
  }

  JsonNode run(String jar, List<String> arguments, @Nullable String savepoint) {
    // Without it, Flink takes 1 here, whatever the cluster's own configuration says.
    ObjectNode body = JSON.createObjectNode().put("parallelism", FlinkCluster.PARALLELISM);
    ArrayNode list = body.putArray("programArgsList");
    arguments.forEach(list::add);
    if (savepoint != null) {
      body.put("savepointPath", savepoint);
    }
    try {
      return send(
          request("/jars/" + jar + "/run")
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString(body.toString())));
    } catch (IOException e) {
      throw new IllegalStateException(String.valueOf(e.getMessage()), e);
    }
  }

  void cancel(String job) {
    try {
      send(request("/jobs/" + job).method("PATCH", HttpRequest.BodyPublishers.noBody()));
    } catch (IOException e) {
      throw new IllegalStateException("Job " + job + " could not be cancelled", e);
    }
  }

  private JsonNode get(String path) throws IOException {
    return send(request(path).GET());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .timeout(Duration.ofSeconds(60));
  }

  private JsonNode send(HttpRequest.Builder request) throws IOException {
    try {
      HttpResponse<String> answer =
          http.send(request.build(), HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() / 100 != 2) {
        throw new IOException(answer.statusCode() + ": " + answer.body());
      }
      return answer.body().isBlank() ? JSON.createObjectNode() : JSON.readTree(answer.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while asking Flink", e);
    }
  }
}
