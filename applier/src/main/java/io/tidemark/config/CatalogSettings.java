package io.tidemark.config;

import java.io.Serializable;
import java.util.Map;

/**
 * Which catalog the tables live in.
 *
 * @param name the catalog's name
 * @param properties Iceberg's own catalog properties
 */
public record CatalogSettings(String name, Map<String, String> properties) implements Serializable {

  public CatalogSettings {
    properties = Map.copyOf(properties);
  }
}
