package io.tidemark.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.apicurio.registry.utils.converter.avro.AvroData;
import io.tidemark.debezium.RawRecord;
import io.tidemark.debezium.avro.AvroFormat;
import io.tidemark.debezium.registry.RegistryProperties;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.connect.data.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Writes Avro as a registry's converter does: Apicurio's mapping from Connect to Avro, which is
 * Confluent's, Avro's own encoder, and a registry that this process serves.
 */
final class AvroWriter implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final AvroData mapping = new AvroData(100);
  private final List<String> schemas = new ArrayList<>();
  private final HttpServer server;

  AvroWriter() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/schemas/ids/", this::answer);
    server.createContext("/apis/registry/v3/ids/contentIds/", this::answerAsApicurio);
    server.start();
  }

  AvroFormat format() {
    return format("schema.registry.url", "");
  }

  /** With Apicurio's API, for messages whose id is in a header. */
  AvroFormat apicurio() {
    return format("apicurio.registry.url", "/apis/registry/v3");
  }

  /** The same message as Apicurio's converter writes it with {@code headers.enabled}. */
  static RawRecord withIdsInHeaders(RawRecord framed) {
    Map<String, byte[]> headers = new HashMap<>(framed.headers());
    return new RawRecord(
        framed.at(),
        framed.timestampMillis(),
        unframed("key", framed.key(), headers),
        unframed("value", framed.value(), headers),
        headers);
  }

  private static byte @Nullable [] unframed(
      String part, byte @Nullable [] framed, Map<String, byte[]> headers) {
    if (framed == null) {
      return null;
    }
    long id = ByteBuffer.wrap(framed, 1, Integer.BYTES).getInt();
    headers.put(
        "apicurio." + part + ".contentId", ByteBuffer.allocate(Long.BYTES).putLong(id).array());
    headers.put("apicurio." + part + ".encoding", "BINARY".getBytes(UTF_8));
    return Arrays.copyOfRange(framed, 1 + Integer.BYTES, framed.length);
  }

  private AvroFormat format(String name, String path) {
    String url = "http://127.0.0.1:" + server.getAddress().getPort() + path;
    return new AvroFormat(
        Objects.requireNonNull(
            RegistryProperties.read(
                Map.of(name, url),
                (property, problem) -> {
                  throw new AssertionError(property + " " + problem);
                })));
  }

  /** A null value has no bytes, whatever its schema. */
  byte @Nullable [] write(@Nullable Schema schema, @Nullable Object value) {
    if (schema == null || value == null) {
      return null;
    }
    org.apache.avro.Schema avro = mapping.fromConnectSchema(schema);
    Object datum = mapping.fromConnectData(schema, value);
    try (ByteArrayOutputStream out = new ByteArrayOutputStream()) {
      out.write(0);
      out.write(ByteBuffer.allocate(4).putInt(id(avro.toString())).array());
      BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
      new GenericDatumWriter<>(avro).write(datum, encoder);
      encoder.flush();
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private synchronized int id(String schema) {
    if (!schemas.contains(schema)) {
      schemas.add(schema);
    }
    return schemas.indexOf(schema);
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String schema = schemas.get(Integer.parseInt(path.substring(path.lastIndexOf('/') + 1)));
    send(exchange, JSON.writeValueAsString(Map.of("schema", schema)));
  }

  private synchronized void answerAsApicurio(HttpExchange exchange) throws IOException {
    String[] path = exchange.getRequestURI().getPath().split("/");
    boolean refers = path[path.length - 1].equals("references");
    int id = Integer.parseInt(path[path.length - (refers ? 2 : 1)]);
    send(exchange, refers ? "[]" : schemas.get(id));
  }

  private static void send(HttpExchange exchange, String text) throws IOException {
    byte[] body = text.getBytes(UTF_8);
    exchange.sendResponseHeaders(200, body.length);
    try (exchange;
        var out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
