package io.tidemark.iceberg;

import io.tidemark.config.CatalogSettings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Real catalogs in a directory. */
enum Catalogs {
  HADOOP {
    @Override
    CatalogSettings in(Path directory) {
      return new CatalogSettings(
          "lake",
          Map.of("type", "hadoop", "warehouse", directory.resolve("lake").toUri().toString()));
    }
  },
  JDBC {
    @Override
    CatalogSettings in(Path directory) {
      return new CatalogSettings(
          "lake",
          Map.of(
              "type",
              "jdbc",
              "uri",
              "jdbc:sqlite:" + directory.resolve("catalog.db"),
              "jdbc.schema-version",
              "V1",
              "warehouse",
              directory.resolve("lake").toUri().toString()));
    }
  };

  abstract CatalogSettings in(Path directory);

  /** A JDBC catalog that keeps files in memory: local disks are slow through Hadoop. */
  static CatalogSettings jdbcInMemory(Path directory) {
    Map<String, String> properties = new HashMap<>(JDBC.in(directory).properties());
    properties.put("io-impl", "org.apache.iceberg.inmemory.InMemoryFileIO");
    return new CatalogSettings("lake", properties);
  }
}
