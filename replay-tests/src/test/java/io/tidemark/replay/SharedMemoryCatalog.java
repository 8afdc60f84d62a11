package io.tidemark.replay;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.inmemory.InMemoryCatalog;

/** Iceberg's own catalog in memory, the same one for everybody who opens it under a name. */
public final class SharedMemoryCatalog implements Catalog, SupportsNamespaces {

  private static final Map<String, InMemoryCatalog> BY_NAME = new ConcurrentHashMap<>();

  private InMemoryCatalog shared = new InMemoryCatalog();

  /** Made by Iceberg, from the catalog's properties. */
  public SharedMemoryCatalog() {}

  @Override
  public void initialize(String name, Map<String, String> properties) {
    shared =
        BY_NAME.computeIfAbsent(
            name,
            unseen -> {
              InMemoryCatalog catalog = new InMemoryCatalog();
              catalog.initialize(name, Map.of("warehouse", "memory://" + name));
              return catalog;
            });
  }

  /** Forgets a catalog. */
  static void forget(String name) {
    BY_NAME.remove(name);
  }

  @Override
  public String name() {
    return shared.name();
  }

  @Override
  public Table createTable(
      TableIdentifier identifier,
      Schema schema,
      PartitionSpec spec,
      Map<String, String> properties) {
    return shared.createTable(identifier, schema, spec, properties);
  }

  @Override
  public TableBuilder buildTable(TableIdentifier identifier, Schema schema) {
    return shared.buildTable(identifier, schema);
  }

  @Override
  public List<TableIdentifier> listTables(Namespace namespace) {
    return shared.listTables(namespace);
  }

  @Override
  public boolean dropTable(TableIdentifier identifier, boolean purge) {
    return shared.dropTable(identifier, purge);
  }

  @Override
  public void renameTable(TableIdentifier from, TableIdentifier to) {
    shared.renameTable(from, to);
  }

  @Override
  public Table loadTable(TableIdentifier identifier) {
    return shared.loadTable(identifier);
  }

  @Override
  public boolean tableExists(TableIdentifier identifier) {
    return shared.tableExists(identifier);
  }

  @Override
  public void createNamespace(Namespace namespace, Map<String, String> metadata) {
    shared.createNamespace(namespace, metadata);
  }

  @Override
  public List<Namespace> listNamespaces(Namespace namespace) {
    return shared.listNamespaces();
  }

  @Override
  public Map<String, String> loadNamespaceMetadata(Namespace namespace) {
    return shared.loadNamespaceMetadata(namespace);
  }

  @Override
  public boolean namespaceExists(Namespace namespace) {
    return shared.namespaceExists(namespace);
  }

  @Override
  public boolean dropNamespace(Namespace namespace) {
    return false;
  }

  @Override
  public boolean setProperties(Namespace namespace, Map<String, String> properties) {
    return false;
  }

  @Override
  public boolean removeProperties(Namespace namespace, java.util.Set<String> properties) {
    return false;
  }
}
