package io.tidemark.cli.check;

import io.tidemark.commit.CommitRecord;
import io.tidemark.iceberg.TableDefinition;
import io.tidemark.iceberg.TableDescription;
import io.tidemark.iceberg.TableFacts;
import io.tidemark.iceberg.TableState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A catalog, as far as one can look at it without changing it. Every method ends within a bounded
 * time and throws {@link io.tidemark.commit.UnavailableException} if there was no answer.
 */
public interface CatalogView extends AutoCloseable {

  /** Full names of all tables but tombstone tables, sorted. */
  List<String> tables();

  /** What is in the place of a table. */
  TableState state(String table);

  /**
   * A table that exists.
   *
   * @throws IllegalArgumentException if it cannot be one that Tidemark keeps, with the reason
   */
  TableDescription describe(String table);

  /** What keeps a table that exists from taking such rows; empty if nothing does. */
  List<String> mismatches(TableDefinition wanted);

  /** The newest own record of a table; null if it does not exist or has none. */
  @Nullable CommitRecord record(String table);

  /**
   * Makes sure that the tombstones which a record names can be read.
   *
   * @throws io.tidemark.commit.CommitRefusedException if they are gone
   * @throws io.tidemark.commit.ForeignWriteException if others wrote what is there
   */
  void requireTombstones(String table, CommitRecord record);

  /** What a table's metadata says; null if it does not exist. */
  @Nullable TableFacts facts(String table);

  /**
   * How many rows Tidemark's commits wrote and keys they deleted since one of them.
   *
   * @param commitId null for all commits
   * @return null if snapshots were expired that would tell
   */
  @Nullable Long changedSince(String table, @Nullable String commitId);

  @Override
  void close();
}
