package io.tidemark.sandbox;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * Markers in PostgreSQL's log, put there by {@code pg_logical_emit_message}. Changes come in commit
 * order: when a fence arrives, all that was committed before it has arrived. Thread-safe.
 */
final class Fences {

  static final String PREFIX = "tidemark.fence";

  private final AtomicLong last = new AtomicLong();
  private final Map<String, Fence> waiting = new ConcurrentHashMap<>();

  /** A fence to emit and wait for. */
  record Fence(String name, CountDownLatch arrival) {

    boolean passed(Duration timeout) {
      try {
        return arrival.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("Interrupted while waiting for Debezium", e);
      }
    }
  }

  Fence next() {
    Fence fence = new Fence("fence-" + last.incrementAndGet(), new CountDownLatch(1));
    waiting.put(fence.name(), fence);
    return fence;
  }

  void pass(String name) {
    Fence fence = waiting.remove(name);
    if (fence != null) {
      fence.arrival().countDown();
    }
  }

  /** The name of the fence that a record is; null if it is a change. */
  static @Nullable String nameIn(SourceRecord record) {
    if (!(record.value() instanceof Struct value) || value.schema().field("message") == null) {
      return null;
    }
    Struct message = value.getStruct("message");
    if (message == null || !PREFIX.equals(message.getString("prefix"))) {
      return null;
    }
    Object content = message.get("content");
    ByteBuffer bytes =
        content instanceof ByteBuffer buffer ? buffer : ByteBuffer.wrap((byte[]) content);
    return StandardCharsets.UTF_8.decode(bytes).toString();
  }
}
