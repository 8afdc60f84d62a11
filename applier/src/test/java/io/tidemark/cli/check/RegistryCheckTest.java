package io.tidemark.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.tidemark.change.SourceOffset;
import io.tidemark.config.Settings;
import io.tidemark.debezium.RawRecord;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RegistryCheckTest {
  private static final byte[] OF_SCHEMA_7 = {0, 0, 0, 0, 7, 2};

  /** To start what answered would be no help. */
  @Test
  void aRegistryThatRefusesIsNotToBeStarted() throws IOException {
    HttpServer registry =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    registry.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(401, -1);
          exchange.close();
        });
    registry.start();
    try {
      String url = "http://127.0.0.1:" + registry.getAddress().getPort();
      assertThat(check(url))
          .contains(
              "FAIL  registry   Schema registry "
                  + url
                  + " answered 401: it wants other credentials, see basic.auth.user.info and"
                  + " bearer.auth.token")
          .contains("-> correct kafka.registry: its URL, or who it connects as\n");
    } finally {
      registry.stop(0);
    }
  }

  private static String check(String url) {
    InMemoryKafka kafka = new InMemoryKafka().with("shop.orders", 1);
    kafka.records.add(
        new RawRecord(
            new SourceOffset("shop.orders", 0, 0), 0, OF_SCHEMA_7, OF_SCHEMA_7, Map.of()));
    Settings settings =
        Settings.parse(
            """
            kafka:
              bootstrap.servers: localhost:9092
              topics: [shop.orders]
              format: debezium-avro
              registry: {schema.registry.url: '%s'}
            catalog:
              name: lake
              properties: {type: hadoop, warehouse: 'file:///tmp/lake'}
            """
                .formatted(url),
            Map.of());
    StringWriter out = new StringWriter();
    CheckReport report = new CheckReport(new PrintWriter(out), text -> text);
    new Check(settings, report).run(() -> kafka, InMemoryCatalog::new);
    return out.toString().replace(System.lineSeparator(), "\n");
  }
}
