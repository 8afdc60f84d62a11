package io.tidemark.verify;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.commit.UnavailableException;
import io.tidemark.debezium.registry.RegistrySettings;
import io.tidemark.debezium.registry.RegistrySettings.Api;
import io.tidemark.oracle.Schemas;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Asks a schema registry for what a log was written with. */
final class RegistryReader implements Schemas {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int MAX_ANSWER_BYTES = 16 * 1024 * 1024;
  private static final int MAX_SCHEMAS = 101;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final RegistrySettings settings;
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();

  RegistryReader(RegistrySettings settings) {
    this.settings = settings;
  }

  @Override
  public List<String> texts(String kind, long id) {
    Set<String> texts = new LinkedHashSet<>(); // what is the same in two places is one
    if (settings.api() == Api.CONFLUENT) {
      confluent("/schemas/ids/" + id, new HashSet<>(), texts);
    } else {
      apicurio("/ids/" + kind + "s/" + id, "", new HashSet<>(), texts);
    }
    return new ArrayList<>(texts);
  }

  private void confluent(String path, Set<String> seen, Set<String> texts) {
    if (!isNew(path, seen)) {
      return;
    }
    JsonNode schema = json(path);
    for (JsonNode reference : schema.path("references")) {
      String version = "/versions/" + reference.path("version").asInt() + "?deleted=true";
      confluent("/subjects/" + part(reference, "subject") + version, seen, texts);
    }
    texts.add(schema.path("schema").asText());
  }

  private void apicurio(String path, String content, Set<String> seen, Set<String> texts) {
    if (!isNew(path, seen)) {
      return;
    }
    for (JsonNode reference : json(path + "/references")) {
      String group = "/groups/" + part(reference, "groupId");
      String artifact = "/artifacts/" + part(reference, "artifactId");
      apicurio(
          group + artifact + "/versions/" + part(reference, "version"),
          settings.api() == Api.APICURIO_V3 ? "/content" : "",
          seen,
          texts);
    }
    texts.add(text(path + content));
  }

  /** One that several refer to is asked for once, and one that refers to itself ends. */
  private static boolean isNew(String path, Set<String> seen) {
    if (seen.size() == MAX_SCHEMAS && !seen.contains(path)) {
      throw new IllegalArgumentException(
          "A schema refers to more than " + (MAX_SCHEMAS - 1) + " others");
    }
    return seen.add(path);
  }

  private static String part(JsonNode reference, String name) {
    String otherwise = name.equals("groupId") ? "default" : "";
    return URLEncoder.encode(reference.path(name).asText(otherwise), StandardCharsets.UTF_8)
        .replace("+", "%20");
  }

  private JsonNode json(String path) {
    try {
      return JSON.readTree(text(path));
    } catch (IOException e) {
      throw new UnavailableException("The schema registry answered something else than JSON", e);
    }
  }

  /**
   * An answer.
   *
   * @throws IllegalArgumentException if the registry has no such thing
   * @throws UnavailableException if it does not answer
   */
  private String text(String path) {
    IOException failure = new IOException("no URL");
    for (URI url : settings.urls()) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(url + path)).timeout(PATIENCE);
      if (settings.authorization() != null) {
        request.header("Authorization", settings.authorization());
      }
      try {
        HttpResponse<String> answer =
            http.send(request.build(), head -> new BoundedText(MAX_ANSWER_BYTES));
        if (answer.statusCode() == 404) {
          throw new IllegalArgumentException("The schema registry has no " + path);
        }
        if (answer.statusCode() == 200) {
          return answer.body();
        }
        failure = new IOException(url + " answered " + answer.statusCode());
      } catch (IOException e) {
        failure = e;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new UnavailableException("Interrupted while the schema registry was asked", e);
      }
    }
    throw new UnavailableException(
        "kafka.registry (" + settings.urls() + "): no schema came, try again: " + failure, failure);
  }
}
