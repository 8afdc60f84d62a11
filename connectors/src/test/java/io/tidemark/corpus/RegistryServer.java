package io.tidemark.corpus;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP server that answers as schema registries do, written from the API descriptions of
 * Confluent's and Apicurio's. It can be told to fail.
 */
public final class RegistryServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServer server;
  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private final Queue<Integer> failures = new ConcurrentLinkedQueue<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private volatile @Nullable String authorization;
  private volatile String notFound = "{\"error_code\":40403,\"message\":\"Schema not found\"}";

  static {
    // Else each body waits some 40 ms for the acknowledgement of its headers.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  /** Starts one on a free port; a daemon thread answers. */
  public RegistryServer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::answer);
    server.start();
  }

  /** The root, without a path. */
  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Adds a schema under Confluent's path of its id. */
  public void put(long id, String schema) {
    answer("/schemas/ids/" + id, json(Map.of("schema", schema)));
  }

  /** Adds an answer of status 200. */
  public void answer(String path, String body) {
    answers.put(path, body);
  }

  /** The next requests get these statuses; 0 closes the connection without an answer. */
  public void failNext(Integer... statuses) {
    failures.addAll(List.of(statuses));
  }

  /** What it says where it has nothing; at first what Confluent's registry says of a schema. */
  public void notFound(String body) {
    notFound = body;
  }

  /** From now on requests need this header. */
  public void requireAuthorization(String header) {
    authorization = header;
  }

  /** Paths with queries, in the order in which they were asked for. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  /** Any value as JSON. */
  public static String json(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().toString();
    requests.add(path);
    Integer failure = failures.poll();
    String required = authorization;
    if (failure != null && failure == 0) {
      exchange.close();
    } else if (failure != null) {
      send(exchange, failure, "{\"message\":\"told to fail\"}");
    } else if (required != null
        && !required.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
      send(exchange, 401, "{\"error_code\":401}");
    } else if (answers.containsKey(path)) {
      send(exchange, 200, answers.get(path));
    } else {
      send(exchange, 404, notFound);
    }
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    try (exchange;
        var out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
