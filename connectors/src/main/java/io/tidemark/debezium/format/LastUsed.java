package io.tidemark.debezium.format;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was made of schemas, as much of it as was used last: no more than some, and no more than
 * texts of so many characters tell of. What was put last stays, however long it is. Not
 * thread-safe.
 */
public final class LastUsed<K, V> {
  private final int maxCount;
  private final long maxChars;
  private final Map<K, Weighed<V>> kept = new LinkedHashMap<>(16, 0.75f, true);
  private long chars;

  private record Weighed<V>(V value, long chars) {}

  /**
   * Nothing yet.
   *
   * @param maxCount how many are kept; at least 1
   * @param maxChars how many characters those may have together that are kept beside the last
   */
  public LastUsed(int maxCount, long maxChars) {
    this.maxCount = maxCount;
    this.maxChars = maxChars;
  }

  /** What was put last; null if it is not kept. */
  public @Nullable V get(K key) {
    Weighed<V> found = kept.get(key);
    return found == null ? null : found.value;
  }

  /**
   * Keeps one that is not kept.
   *
   * @param length of the text that it was made of, in characters
   */
  public void put(K key, V value, long length) {
    kept.put(key, new Weighed<>(value, length));
    chars += length;
    Iterator<Weighed<V>> eldest = kept.values().iterator();
    while (kept.size() > 1 && (kept.size() > maxCount || chars > maxChars)) {
      chars -= eldest.next().chars;
      eldest.remove();
    }
  }
}
