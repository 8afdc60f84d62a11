package io.tidemark.verify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.commit.UnavailableException;
import io.tidemark.debezium.registry.RegistryProperties;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a registry answers cannot keep {@code verify} busy for ever, nor fill its memory. */
class RegistryReaderTest {
  private HttpServer server;
  private RegistryReader reader;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/schemas/ids/1", RegistryReaderTest::endless);
    server.createContext("/schemas/ids/2", exchange -> answer(exchange, "twice", 7, 7));
    server.createContext("/schemas/ids/3", exchange -> answer(exchange, "first", 8));
    server.createContext(
        "/subjects/s/versions/",
        exchange -> {
          String path = exchange.getRequestURI().getPath();
          int version = Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
          answer(exchange, "v" + version, version == 7 ? 7 : version + 1);
        });
    server.start();
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    reader =
        new RegistryReader(
            Objects.requireNonNull(
                RegistryProperties.read(
                    Map.of("schema.registry.url", url),
                    (name, problem) -> {
                      throw new AssertionError(name + " " + problem);
                    })));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void anAnswerWithoutEndIsNone() {
    assertThatThrownBy(() -> reader.texts("schema", 1))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("an answer of more than 16777216 bytes");
  }

  @Test
  void aSchemaThatIsReferredToTwiceIsAskedForOnce() {
    assertThat(reader.texts("schema", 2)).containsExactly("v7", "twice");
  }

  @Test
  void referencesWithoutEndAreRefused() {
    assertThatThrownBy(() -> reader.texts("schema", 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("more than 100 others");
  }

  private static void answer(HttpExchange exchange, String schema, int... versions)
      throws IOException {
    StringBuilder references = new StringBuilder();
    for (int version : versions) {
      references.append(references.isEmpty() ? "" : ",");
      references.append("{\"subject\":\"s\",\"version\":").append(version).append('}');
    }
    byte[] body =
        ("{\"schema\":\"" + schema + "\",\"references\":[" + references + "]}").getBytes(UTF_8);
    exchange.sendResponseHeaders(200, body.length);
    try (exchange) {
      exchange.getResponseBody().write(body);
    }
  }

  private static void endless(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    try (exchange) {
      while (true) {
        exchange.getResponseBody().write(new byte[1 << 20]); // until nobody takes it any more
      }
    }
  }
}
