package io.tidemark.iceberg;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.iceberg.data.BaseDeleteLoader;
import org.apache.iceberg.io.FileIO;

/**
 * The deletes of one scan, each file of them read once for all data files that it applies to. What
 * does not fit into an eighth of the heap is read for each data file again.
 */
final class SharedDeletes extends BaseDeleteLoader {
  private final Map<String, Object> loaded = new ConcurrentHashMap<>();
  private final AtomicLong freeBytes = new AtomicLong(Runtime.getRuntime().maxMemory() / 8);

  SharedDeletes(FileIO io) {
    super(file -> io.newInputFile(file));
  }

  @Override
  protected boolean canCache(long estimatedBytes) {
    return estimatedBytes < freeBytes.get();
  }

  @Override
  @SuppressWarnings("unchecked") // a file's name stands for one kind of content
  protected <V> V getOrLoad(String key, Supplier<V> load, long estimatedBytes) {
    return (V)
        loaded.computeIfAbsent(
            key,
            file -> {
              freeBytes.addAndGet(-estimatedBytes);
              return load.get();
            });
  }
}
