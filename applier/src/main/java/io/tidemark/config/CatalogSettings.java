package io.tidemark.config;

import java.io.Serializable;
import java.util.List;
import java.util.Map;

/**
 * The Iceberg catalog that has the tables.
 *
 * @param properties Iceberg's own catalog properties
 */
public record CatalogSettings(String name, Map<String, String> properties) implements Serializable {

  static final Key<String> NAME =
      Key.required(
          "catalog.name",
          Syntax.TEXT,
          "lake",
          "Name of the catalog. Some catalogs, such as JDBC, keep tables under it: do not change it"
              + " later.");
  static final Key<Map<String, String>> PROPERTIES =
      Key.required(
          "catalog.properties",
          Syntax.PROPERTIES,
          "{type: hadoop, warehouse: 'file:///tmp/lake'}",
          "Iceberg's own catalog properties: `type` (`hadoop`, `rest`, `jdbc`, `hive`, `glue`,"
              + " `nessie`) or `catalog-impl`, `warehouse`, `uri`, and what else the catalog takes.");

  static final List<Key<?>> KEYS = List.of(NAME, PROPERTIES);

  public CatalogSettings {
    properties = Map.copyOf(properties);
  }

  static CatalogSettings read(Section section) {
    CatalogSettings settings = new CatalogSettings(section.get(NAME), section.get(PROPERTIES));
    boolean type = settings.properties.containsKey("type");
    if (section.isSound(PROPERTIES) && type == settings.properties.containsKey("catalog-impl")) {
      section.refuse(
          PROPERTIES,
          (type ? "found both of" : "found neither of")
              + " type and catalog-impl, expected one, such as type: hadoop or type: rest");
    }
    return settings;
  }

  /** Secrets are masked. */
  @Override
  public String toString() {
    return "CatalogSettings[name=" + name + ", properties=" + Secrets.masked(properties) + "]";
  }
}
