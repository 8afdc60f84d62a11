package io.tidemark.iceberg;

import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import io.tidemark.config.CatalogSettings;
import io.tidemark.merge.Seed;
import java.io.IOException;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads marks out of a table and its tombstones, at fixed snapshots of both.
 *
 * @param identifier namespace and name, joined by dots
 * @param snapshot id of the table's snapshot; null for none
 * @param tombstoneSnapshot id of the tombstone table's snapshot that the record names; null for none
 */
public record IcebergSeed(
    CatalogSettings catalog,
    String identifier,
    @Nullable Long snapshot,
    @Nullable Long tombstoneSnapshot)
    implements Seed {

  @Override
  public void read(Predicate<PrimaryKey> wanted, BiConsumer<PrimaryKey, Mark> marks)
      throws IOException {
    throw new UnsupportedOperationException();
  }
}
