package io.tidemark.iceberg;

import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.CommitRefusedException;
import io.tidemark.commit.ForeignWriteException;
import io.tidemark.config.CatalogSettings;
import io.tidemark.failure.RefusedException;
import io.tidemark.row.RowShape;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/** Creates tables and looks at them. */
public final class IcebergTables implements AutoCloseable {
  /** Property: what the table's commit versions are made of. */
  public static final String VERSION_SCHEME = "tidemark.version-scheme";

  /** Property: what the caller remembers of the table's columns. */
  public static final String COLUMNS = "tidemark.columns";

  /** Property: the snapshot whose rows were there before Tidemark kept the table. */
  public static final String ADOPTED = "tidemark.adopted";

  /** What {@link TableMismatchException} says of a table without identifier fields. */
  public static final String NO_IDENTIFIER_FIELDS =
      "it has no identifier fields, expected one for each column of the changes' key (in Spark: ALTER"
          + " TABLE … SET IDENTIFIER FIELDS id, where id is NOT NULL; a run with adopt: true sets those"
          + " of a table that it takes over)";

  private final CatalogSettings settings;
  private final OpenCatalog catalog;

  private IcebergTables(CatalogSettings settings, OpenCatalog catalog) {
    this.settings = settings;
    this.catalog = catalog;
  }

  /**
   * Connects to the catalog.
   *
   * @throws io.tidemark.config.ConfigException if Iceberg does not take its properties
   */
  public static IcebergTables open(CatalogSettings settings) {
    return new IcebergTables(settings, OpenCatalog.open(settings));
  }

  /** What is there now. */
  public TableState state(String identifier) {
    if (!catalog.exists(TableIdentifier.parse(identifier))) {
      return TableState.ABSENT;
    }
    Table table = catalog.table(identifier);
    if (OwnHistory.of(table).record() != null) {
      return TableState.HAS_RECORD;
    }
    return table.currentSnapshot() == null ? TableState.EMPTY : TableState.ROWS_WITHOUT_RECORD;
  }

  /**
   * Creates the table and its tombstone table where they are missing, and checks what exists.
   *
   * @throws TableMismatchException if an existing table does not fit, with every mismatch
   * @throws IllegalArgumentException if a partition expression cannot be used
   */
  public TableDescription ensure(TableDefinition definition) {
    TableIdentifier identifier = TableIdentifier.parse(definition.identifier());
    catalog.createNamespace(identifier.namespace());
    Table table = loadOrCreate(identifier, definition);
    List<String> mismatches = TableCheck.mismatches(table, definition);
    if (!mismatches.isEmpty()) {
      throw new TableMismatchException(definition.identifier(), mismatches);
    }
    addColumns(table);
    remember(table, definition);
    addKept(table);
    Table tombstones =
        loadOrCreateTombstones(OpenCatalog.tombstones(identifier), definition.shape());
    mismatches = TableCheck.tombstoneMismatches(tombstones, definition.shape());
    if (!mismatches.isEmpty()) {
      throw new TableMismatchException(tombstones.name(), mismatches);
    }
    TableDescription description = describe(definition.identifier(), table);
    CommitRecord last = description.record();
    if (last != null && last.tombstoneSnapshot() != null) {
      TombstoneLog.keep(tombstones, last.tombstoneSnapshot());
    }
    return description;
  }

  /**
   * Makes sure that the tombstones which a record names can be read.
   *
   * @param pinned the snapshot that the record names; null for none
   * @throws CommitRefusedException if it is gone and nothing descends from it
   * @throws ForeignWriteException if it is gone, and others wrote what is there
   */
  public void requireTombstones(String identifier, @Nullable Long pinned) {
    if (pinned == null) {
      return;
    }
    TableIdentifier tombstones = OpenCatalog.tombstones(TableIdentifier.parse(identifier));
    if (!catalog.exists(tombstones)) {
      throw TombstoneLog.gone(tombstones.toString(), pinned, "the table is gone too");
    }
    TombstoneLog.readable(catalog.tombstoneTable(identifier), pinned);
  }

  /** Whether a table names the columns of its key. */
  public boolean isIdentified(String identifier) {
    return !catalog.table(identifier).schema().identifierFieldIds().isEmpty();
  }

  /**
   * Makes columns the identifier fields of a table that others made, which the engine that made it
   * may not be able to: after every row has been looked at, and if its columns are still the same.
   * Done twice, or alone, it does no harm.
   *
   * @param keys names of the columns
   * @param fits is shown the columns before anything is read or changed
   * @throws RefusedException if a row lacks a key, or a key has several rows
   */
  public void identify(String identifier, Set<String> keys, Consumer<RowShape> fits)
      throws IOException, InterruptedException {
    Table table = catalog.table(identifier);
    // A catalog refuses it on another schema than this one. Rows that others write meanwhile are
    // read once more, and pinned, when the table is adopted.
    UpdateSchema update = table.updateSchema().allowIncompatibleChanges();
    for (String key : keys) {
      if (table.schema().asStruct().field(key) == null) {
        throw new RefusedException("It has no column " + key + ", which is one of the key");
      }
      update.requireColumn(key);
    }
    update.setIdentifierFields(keys);
    Schema identified = update.apply();
    fits.accept(RowShapes.of(identified));
    Snapshot snapshot = table.currentSnapshot();
    if (snapshot != null) {
      IcebergSeed.ofAdopted(settings, identifier, snapshot.snapshotId())
          .requireKeys(table, StructKeys.names(identified));
    }
    update.commit();
  }

  /**
   * As {@link #ensure} for a table whose rows Tidemark did not write and is to keep from now on: it
   * gets the columns that Tidemark adds, and remembers whose rows it has.
   *
   * @return with the snapshot that is adopted
   */
  public TableDescription adopt(TableDefinition definition) {
    TableDescription table = ensure(definition);
    UpdateProperties update =
        catalog
            .table(definition.identifier())
            .updateProperties()
            .set(ADOPTED, String.valueOf(table.snapshot()));
    update.commit();
    return table;
  }

  /**
   * Checks and looks at a table that exists, and changes nothing.
   *
   * @throws TableMismatchException if it does not fit, with every mismatch
   */
  public TableDescription fitting(TableDefinition definition) {
    Table table = catalog.table(definition.identifier());
    List<String> mismatches = TableCheck.mismatches(table, definition);
    if (!mismatches.isEmpty()) {
      throw new TableMismatchException(definition.identifier(), mismatches);
    }
    return describe(definition.identifier(), table);
  }

  /**
   * Looks at a table.
   *
   * @throws org.apache.iceberg.exceptions.NoSuchTableException if it does not exist
   * @throws TableMismatchException if it has a column whose type no source column maps to, or no
   *     identifier field
   */
  public TableDescription describe(String identifier) {
    return describe(identifier, catalog.table(identifier));
  }

  /**
   * What the metadata of a table and of its tombstones says.
   *
   * @throws org.apache.iceberg.exceptions.NoSuchTableException if it does not exist
   */
  public TableFacts facts(String identifier) {
    Table table = catalog.table(identifier);
    boolean remembers = catalog.exists(OpenCatalog.tombstones(TableIdentifier.parse(identifier)));
    return TableFacts.of(table, remembers ? catalog.tombstoneTable(identifier) : null);
  }

  /**
   * How many rows own commits wrote and keys they deleted since one of them; a key counts once for
   * each commit that changes it.
   *
   * @param commitId null for all commits
   * @return null if snapshots were expired that would tell
   * @throws org.apache.iceberg.exceptions.NoSuchTableException if the table does not exist
   */
  public @Nullable Long changedSince(String identifier, @Nullable String commitId) {
    Table table = catalog.table(identifier);
    return OwnHistory.changedSince(SnapshotUtil.currentAncestors(table), commitId);
  }

  /**
   * What is wrong with an existing table for such rows; empty if nothing is.
   *
   * @throws org.apache.iceberg.exceptions.NoSuchTableException if it does not exist
   */
  public List<String> mismatches(TableDefinition definition) {
    return TableCheck.mismatches(catalog.table(definition.identifier()), definition);
  }

  /** Why partition expressions cannot be used for a table that is made; null if they can. */
  public static @Nullable String partitionProblem(RowShape shape, List<String> expressions) {
    try {
      PartitionExpressions.parse(expressions, RowShapes.table(shape));
      return null;
    } catch (RuntimeException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /**
   * Partition expressions as {@link TableFacts} has those of a table.
   *
   * @throws IllegalArgumentException if they cannot be used
   */
  public static String partitionText(RowShape shape, List<String> expressions) {
    return TableFacts.text(PartitionExpressions.parse(expressions, RowShapes.table(shape)));
  }

  @Override
  public void close() {
    catalog.close();
  }

  private Table loadOrCreate(TableIdentifier identifier, TableDefinition definition) {
    if (catalog.exists(identifier)) {
      return catalog.load(identifier);
    }
    Schema schema = RowShapes.table(definition.shape());
    PartitionSpec spec = PartitionExpressions.parse(definition.partition(), schema);
    Map<String, String> properties = new HashMap<>();
    properties.put(TableProperties.FORMAT_VERSION, "2");
    properties.putAll(definition.properties());
    properties.put(VERSION_SCHEME, definition.versionScheme());
    properties.put(COLUMNS, definition.columns());
    return create(identifier, schema, spec, properties);
  }

  private Table loadOrCreateTombstones(TableIdentifier identifier, RowShape shape) {
    if (catalog.exists(identifier)) {
      return catalog.load(identifier);
    }
    Schema schema = RowShapes.tombstones(shape);
    PartitionSpec spec = PartitionSpec.builderFor(schema).day(AddedColumns.SOURCE_TS).build();
    return create(identifier, schema, spec, Map.of(TableProperties.FORMAT_VERSION, "2"));
  }

  private Table create(
      TableIdentifier identifier,
      Schema schema,
      PartitionSpec spec,
      Map<String, String> properties) {
    try {
      return catalog.catalog().createTable(identifier, schema, spec, properties);
    } catch (AlreadyExistsException e) {
      return catalog.load(identifier); // somebody else was faster: it is checked next
    }
  }

  /** Optional, because the rows that are there do not have them. */
  private static void addColumns(Table table) {
    UpdateSchema update = table.updateSchema();
    boolean lacks = false;
    for (Types.NestedField field : AddedColumns.FIELDS) {
      if (table.schema().asStruct().field(field.name()) == null) {
        update.addColumn(field.name(), field.type());
        lacks = true;
      }
    }
    if (lacks) {
      update.commit();
    }
  }

  /** A table that the user made does not know yet what its versions are made of. */
  private static void remember(Table table, TableDefinition definition) {
    boolean schemeKnown = table.properties().containsKey(VERSION_SCHEME);
    boolean columnsKnown = definition.columns().equals(table.properties().get(COLUMNS));
    if (!schemeKnown || !columnsKnown) {
      UpdateProperties update =
          table
              .updateProperties()
              .set(VERSION_SCHEME, definition.versionScheme())
              .set(COLUMNS, definition.columns());
      update.commit();
    }
  }

  /** A table that the user made, or an earlier Tidemark, lacks it. */
  private static void addKept(Table table) {
    if (table.schema().findField(AddedColumns.KEPT) == null) {
      table
          .updateSchema()
          .addColumn(
              AddedColumns.KEPT,
              Types.MapType.ofOptional(1, 2, Types.StringType.get(), Types.StringType.get()))
          .commit();
    }
  }

  private static TableDescription describe(String identifier, Table table) {
    return new TableDescription(
        shape(identifier, table),
        table.properties().get(VERSION_SCHEME),
        table.properties().get(COLUMNS),
        versionOf(table),
        table.currentSnapshot() == null ? null : table.currentSnapshot().snapshotId(),
        OwnHistory.of(table).record(),
        table instanceof HasTableOperations operations
            ? Sighting.of(operations.operations().current())
            : null);
  }

  private static RowShape shape(String identifier, Table table) {
    if (table.schema().identifierFieldIds().isEmpty()) {
      throw new TableMismatchException(identifier, List.of(NO_IDENTIFIER_FIELDS));
    }
    try {
      return RowShapes.of(table.schema());
    } catch (IllegalArgumentException e) {
      throw new TableMismatchException(identifier, List.of(String.valueOf(e.getMessage())));
    }
  }

  static TableVersion versionOf(Table table) {
    return new TableVersion(table.schema().schemaId(), table.specs().keySet());
  }
}
