package io.tidemark.cli.check;

import io.tidemark.commit.CommitRecord;
import io.tidemark.iceberg.TableDefinition;
import io.tidemark.iceberg.TableDescription;
import io.tidemark.iceberg.TableFacts;
import io.tidemark.iceberg.TableMismatchException;
import io.tidemark.iceberg.TableState;
import io.tidemark.iceberg.TableVersion;
import io.tidemark.row.RowShape;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A catalog with at most one table, for tests. */
final class InMemoryCatalog implements CatalogView {
  TableState state = TableState.ABSENT;
  @Nullable RowShape shape;
  @Nullable String scheme = "auto";
  @Nullable String columns;
  @Nullable CommitRecord record;
  @Nullable RuntimeException foreign;
  @Nullable RuntimeException gone;
  @Nullable TableFacts facts;
  List<String> mismatches = List.of();

  @Override
  public List<String> tables() {
    return state == TableState.ABSENT ? List.of() : List.of("shop.orders");
  }

  @Override
  public TableState state(String table) {
    return state;
  }

  @Override
  public TableDescription describe(String table) {
    if (shape == null) {
      throw new TableMismatchException("shop.orders", List.of("it has no identifier field"));
    }
    return new TableDescription(
        shape, scheme, columns, new TableVersion(0, Set.of(0)), null, null, null);
  }

  @Override
  public List<String> mismatches(TableDefinition wanted) {
    return mismatches;
  }

  @Override
  public @Nullable CommitRecord record(String table) {
    if (foreign != null) {
      throw foreign;
    }
    return record;
  }

  @Override
  public void requireTombstones(String table, CommitRecord record) {
    if (gone != null) {
      throw gone;
    }
  }

  @Override
  public @Nullable TableFacts facts(String table) {
    return facts;
  }

  @Override
  public @Nullable Long changedSince(String table, @Nullable String commitId) {
    return null;
  }

  @Override
  public void close() {}
}
