package io.tidemark.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** What Flink's REST interface says of the checkpoints of its only job. */
final class Checkpoints {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client = HttpClient.newHttpClient();
  private final String webUi;

  Checkpoints(String webUi) {
    this.webUi = webUi;
  }

  /** Bytes of state in the newest complete checkpoint; -1 if there is none yet. */
  long newestBytes() throws IOException, InterruptedException {
    JsonNode jobs = get("/jobs").path("jobs");
    String job = jobs.path(0).path("id").asText();
    JsonNode completed = get("/jobs/" + job + "/checkpoints").path("latest").path("completed");
    return completed.path("state_size").asLong(-1);
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(webUi + path)).build();
    return JSON.readTree(client.send(request, BodyHandlers.ofString()).body());
  }
}
