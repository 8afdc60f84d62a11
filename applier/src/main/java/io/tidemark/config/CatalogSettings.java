package io.tidemark.config;

import java.io.Serializable;
import java.util.List;
import java.util.Locale;
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
              + " `nessie`, `bigquery`) or `catalog-impl`, `warehouse`, `uri`, and what else the"
              + " catalog takes.");

  /** All that Iceberg knows, in small letters; it takes capitals too. */
  static final List<String> TYPES =
      List.of("hadoop", "rest", "jdbc", "hive", "glue", "nessie", "bigquery");

  private static final String TYPE = "type";

  static final List<Key<?>> KEYS = List.of(NAME, PROPERTIES);

  public CatalogSettings {
    properties = Map.copyOf(properties);
  }

  static CatalogSettings read(Section section) {
    CatalogSettings settings = new CatalogSettings(section.get(NAME), section.get(PROPERTIES));
    if (section.isSound(PROPERTIES)) {
      settings.check(section);
    }
    return settings;
  }

  private void check(Section section) {
    String type = properties.get(TYPE);
    if ((type != null) == properties.containsKey("catalog-impl")) {
      section.refuse(
          PROPERTIES,
          (type != null ? "found both of" : "found neither of")
              + " type and catalog-impl, expected one, such as type: hadoop or type: rest");
    } else if (type != null && !TYPES.contains(type.toLowerCase(Locale.ENGLISH))) {
      section.refuse(
          PROPERTIES,
          TYPE,
          "found "
              + section.shown(PROPERTIES, TYPE)
              + ", expected "
              + Names.oneOf(TYPES)
              + Names.nearest(type, TYPES).map(near -> ": did you mean " + near + "?").orElse(""));
    }
  }

  /** Secrets are masked. */
  @Override
  public String toString() {
    return "CatalogSettings[name=" + name + ", properties=" + Secrets.masked(properties) + "]";
  }
}
