package io.tidemark.debezium.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * GET requests to a registry. What may be different the next time (no connection, no answer in
 * time, 5xx, 429) is asked again a few times, all else is final.
 */
final class RegistryHttp {
  /** About 10 s of pauses, and at most six answers that do not come. */
  static final Patience PATIENCE =
      new Patience(6, Duration.ofMillis(300), Duration.ofSeconds(5), Duration.ofSeconds(10));

  /** Far more than the largest schema: what is longer is the answer of something else. */
  static final int MAX_ANSWER_MEBIBYTES = 16;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<URI> urls;
  private final @Nullable String authorization;
  private final Patience patience;
  private final HttpClient client;

  /**
   * How long to go on.
   *
   * @param attempts rounds over all URLs, at least 1
   * @param pause before the second round; doubled each time
   * @param connect for a connection
   * @param answer for a whole answer, its body too
   */
  record Patience(int attempts, Duration pause, Duration connect, Duration answer) {}

  /** An answer below 500. */
  record Answer(URI url, int status, String body) {

    boolean isOk() {
      return status == 200;
    }

    /**
     * The body as JSON.
     *
     * @throws RegistryUnavailableException if it is none: something else answers there
     */
    JsonNode json() {
      try {
        return JSON.readTree(body);
      } catch (IOException other) {
        throw new RegistryUnavailableException(
            "Schema registry "
                + url
                + " answered something that is not JSON: is the URL the API's root?",
            true);
      }
    }

    /**
     * Whether the registry itself says that it has no such thing, and not a server in between, nor
     * the registry that it has no such path. Confluent's API numbers the former 404xx and the
     * latter 404; Apicurio says {@code error_code} 404 or 0 of both, and names them apart: {@code
     * ContentNotFoundException} and its kin, and a bare {@code NotFoundException}.
     */
    boolean isNotFound() {
      if (status != 404) {
        return false;
      }
      try {
        JsonNode error = JSON.readTree(body);
        return error.path("error_code").asInt() / 100 == 404
            || error.path("name").asText().matches("\\w+NotFoundException");
      } catch (IOException other) {
        return false;
      }
    }

    /** What any other answer than 200 and 404 means. */
    RegistryUnavailableException refused() {
      return new RegistryUnavailableException(
          "Schema registry "
              + url
              + " answered "
              + status
              + switch (status) {
                case 401, 403 ->
                    ": it wants other credentials, see basic.auth.user.info and bearer.auth.token";
                case 404 -> ": is the URL the API's root?";
                default -> ", expected 200";
              },
          true);
    }
  }

  RegistryHttp(List<URI> urls, @Nullable String authorization, Patience patience) {
    this.urls = urls;
    this.authorization = authorization;
    this.patience = patience;
    this.client = HttpClient.newBuilder().connectTimeout(patience.connect()).build();
  }

  /**
   * Asks for a path.
   *
   * @param path from the API's root, with its slash
   * @throws RegistryUnavailableException if no URL gave an answer
   */
  Answer get(String path) {
    Duration pause = patience.pause();
    String failure = "";
    for (int attempt = 1; ; attempt++) {
      for (URI url : urls) {
        try {
          HttpResponse<byte[]> response = ask(request(url, path));
          if (response.statusCode() < 500 && response.statusCode() != 429) {
            return new Answer(
                url, response.statusCode(), new String(response.body(), StandardCharsets.UTF_8));
          }
          failure = url + ": HTTP " + response.statusCode();
        } catch (BoundedBody.TooLarge e) {
          throw new RegistryUnavailableException(
              "Schema registry "
                  + url
                  + " answered with "
                  + e.getMessage()
                  + ", expected a schema: is the URL the API's root?",
              true);
        } catch (IOException e) {
          failure = url + ": " + e.getClass().getSimpleName();
        }
      }
      if (attempt == patience.attempts()) {
        throw new RegistryUnavailableException(
            "No schema registry answered in " + attempt + " attempts, the last time " + failure,
            false);
      }
      pause(pause);
      pause = pause.multipliedBy(2);
    }
  }

  private HttpRequest request(URI url, String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path))
            .header("Accept", "application/vnd.schemaregistry.v1+json, application/json, */*");
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    return request.build();
  }

  /** The client's own timeout does not cover the body. */
  private HttpResponse<byte[]> ask(HttpRequest request) throws IOException {
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(request, head -> new BoundedBody(MAX_ANSWER_MEBIBYTES));
    try {
      return answer.get(patience.answer().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new java.net.http.HttpTimeoutException("no answer");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new RegistryUnavailableException("Schema registry " + request.uri() + " failed", e);
    } catch (InterruptedException e) {
      answer.cancel(true);
      throw interrupted(e);
    }
  }

  private static void pause(Duration pause) {
    try {
      Thread.sleep(pause.toMillis());
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static RegistryUnavailableException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new RegistryUnavailableException("Interrupted while asking the schema registry", e);
  }
}
