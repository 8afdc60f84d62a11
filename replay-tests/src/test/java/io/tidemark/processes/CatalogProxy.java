package io.tidemark.processes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Between a job and its catalog, request by request. Faults are for commits alone: the POST to a
 * table, which is what changes it. Only where the catalog hangs, reads do not end either.
 */
public final class CatalogProxy implements AutoCloseable {

  /** What becomes of the next commits. */
  public enum Fault {
    /** 503 without asking the catalog. */
    REFUSED_503,
    /** The catalog commits, and the answer is 503. */
    COMMITTED_503,
    /** The catalog commits, and the connection ends without an answer. */
    ANSWER_LOST,
    /** The connection ends, and the catalog never hears of it. */
    REQUEST_LOST
  }

  private static final Set<String> NOT_FORWARDED =
      Set.of(
          "connection",
          "content-length",
          "expect",
          "host",
          "http2-settings",
          "transfer-encoding",
          "upgrade");

  private final HttpServer server;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          work -> {
            Thread thread = new Thread(work, "catalog-proxy");
            thread.setDaemon(true);
            return thread;
          });
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final int targetPort;
  private final AtomicInteger faulty = new AtomicInteger();
  private final Map<Fault, Integer> met = new ConcurrentHashMap<>();
  private volatile Fault fault = Fault.REFUSED_503;
  private volatile @Nullable Held held;
  private volatile @Nullable Hanging hanging;

  private CatalogProxy(HttpServer server, int targetPort) {
    this.server = server;
    this.targetPort = targetPort;
  }

  /** Starts one in front of the catalog at a port of this machine. */
  public static CatalogProxy start(int targetPort) {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
      CatalogProxy proxy = new CatalogProxy(server, targetPort);
      server.setExecutor(proxy.threads);
      server.createContext("/", proxy::handle);
      server.start();
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where jobs reach the catalog. */
  public String uri() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Plans a fault for the next commits; what was planned before is forgotten. */
  public void fail(Fault next, int times) {
    fault = next;
    faulty.set(times);
  }

  /** How many faults commits have met. */
  int met() {
    return happened().values().stream().mapToInt(Integer::intValue).sum();
  }

  /** By kind how many commits have met it. */
  public Map<Fault, Integer> happened() {
    return new TreeMap<>(met);
  }

  /** A commit that is on its way and does not arrive until it is told to. */
  static final class Held {
    private final CountDownLatch arrived = new CountDownLatch(1);
    private volatile @Nullable HttpRequest request;

    boolean hasArrived() {
      return arrived.getCount() == 0;
    }
  }

  /** A time in which the catalog accepts requests, and no request gets an answer. */
  public static final class Hanging {
    private final AtomicInteger met = new AtomicInteger();
    private final CountDownLatch over = new CountDownLatch(1);

    /** How many requests have met it. */
    int met() {
      return met.get();
    }
  }

  /** From now on no request gets an answer, nor does the catalog hear of it. */
  public Hanging hang() {
    Hanging next = new Hanging();
    hanging = next;
    return next;
  }

  /** Answers again. The connections that were left hanging end. */
  public void answerAgain() {
    Hanging was = hanging;
    hanging = null;
    if (was != null) {
      was.over.countDown();
    }
  }

  /** Takes the next commit and answers nothing. */
  Held holdNext() {
    Held next = new Held();
    held = next;
    return next;
  }

  /** Delivers a held commit, long after who sent it has gone; gives the catalog's status. */
  int deliver(Held late) throws IOException, InterruptedException {
    HttpRequest request = java.util.Objects.requireNonNull(late.request, "no commit was held");
    return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  private void handle(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    try {
      Hanging now = hanging;
      if (now != null) {
        now.met.incrementAndGet();
        now.over.await();
        exchange.close();
        return;
      }
      HttpRequest request = request(exchange, body);
      boolean commit =
          exchange.getRequestMethod().equals("POST")
              && exchange.getRequestURI().getPath().matches(".*/tables/[^/]+");
      Held next = held;
      if (commit && next != null) {
        held = null;
        next.request = request;
        next.arrived.countDown();
        return; // no answer, and the connection stays open
      }
      if (commit && faulty.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
        Fault meeting = fault;
        met.merge(meeting, 1, Integer::sum);
        meet(meeting, exchange, request);
      } else {
        answer(exchange, client.send(request, HttpResponse.BodyHandlers.ofByteArray()));
      }
    } catch (IOException e) {
      exchange.close(); // the catalog is away
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      exchange.close();
    }
  }

  private void meet(Fault meeting, HttpExchange exchange, HttpRequest request)
      throws IOException, InterruptedException {
    switch (meeting) {
      case REFUSED_503 -> unavailable(exchange);
      case COMMITTED_503 -> {
        client.send(request, HttpResponse.BodyHandlers.discarding());
        unavailable(exchange);
      }
      case ANSWER_LOST -> {
        client.send(request, HttpResponse.BodyHandlers.discarding());
        exchange.close();
      }
      case REQUEST_LOST -> exchange.close();
    }
  }

  private HttpRequest request(HttpExchange exchange, byte[] body) {
    URI given = exchange.getRequestURI();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create(
                    "http://127.0.0.1:"
                        + targetPort
                        + given.getRawPath()
                        + (given.getRawQuery() == null ? "" : "?" + given.getRawQuery())))
            .method(
                exchange.getRequestMethod(),
                body.length == 0
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArray(body));
    exchange
        .getRequestHeaders()
        .forEach(
            (name, values) -> {
              if (!NOT_FORWARDED.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
              }
            });
    return request.build();
  }

  private static void answer(HttpExchange exchange, HttpResponse<byte[]> response)
      throws IOException {
    response
        .headers()
        .map()
        .forEach(
            (name, values) -> {
              if (!NOT_FORWARDED.contains(name.toLowerCase(Locale.ROOT))) {
                exchange.getResponseHeaders().put(name, List.copyOf(values));
              }
            });
    byte[] body = response.body();
    exchange.sendResponseHeaders(response.statusCode(), body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
    exchange.close();
  }

  private static void unavailable(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(503, -1);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
