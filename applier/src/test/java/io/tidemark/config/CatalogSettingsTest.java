package io.tidemark.config;

import static io.tidemark.config.SettingsFixture.refusal;
import static io.tidemark.config.SettingsFixture.withCatalog;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.CatalogUtil;
import org.junit.jupiter.api.Test;

class CatalogSettingsTest {

  @Test
  void defaults() {
    assertThat(refusal(() -> withCatalog("{}")))
        .isEqualTo(
            """
            The configuration has 2 problems:
              catalog.name (line 5): is missing, expected a text
              catalog.properties (line 5): is missing, expected a mapping from names to texts, numbers, true or false
            """);
  }

  @Test
  void everyKeyIsRead() {
    String text =
        """
        name: lake
        properties: {catalog-impl: org.example.Catalog, warehouse: 's3://x', clients: 5, cache-enabled: false}
        """;

    SettingsFixture.assertNames(text, CatalogSettings.KEYS);
    assertThat(withCatalog(text).catalog())
        .isEqualTo(
            new CatalogSettings(
                "lake",
                Map.of(
                    "catalog-impl", "org.example.Catalog",
                    "warehouse", "s3://x",
                    "clients", "5",
                    "cache-enabled", "false")));
  }

  @Test
  void everyProblemIsReportedAtOnce() {
    assertThat(
            refusal(() -> withCatalog("name: ''\nproperties: {warehouse: x, list: {a: b}}\nx: 1")))
        .isEqualTo(
            """
            The configuration has 3 problems:
              catalog.name (line 5): found "", expected a text
              catalog.properties.list (line 6): found a mapping, expected a text, a number, true or false
              catalog.x (line 7): found an unknown key, expected one of name, properties
            """);
    assertThat(refusal(() -> withCatalog("name: a\nproperties: {warehouse: x}")))
        .contains(
            "catalog.properties (line 6): found neither of type and catalog-impl, expected one, such as");
    assertThat(refusal(() -> withCatalog("name: a\nproperties: {type: x, catalog-impl: y}")))
        .contains("found both of type and catalog-impl");
    assertThat(refusal(() -> withCatalog("name: a\nproperties:\n  type: hadop\nx: 1")))
        .isEqualTo(
            """
            The configuration has 2 problems:
              catalog.properties.type (line 7): found "hadop", expected hadoop, rest, jdbc, hive, glue, \
            nessie or bigquery: did you mean hadoop?
              catalog.x (line 8): found an unknown key, expected one of name, properties
            """);
    assertThat(refusal(() -> withCatalog("name: a\nproperties: hadoop")))
        .contains("catalog.properties (line 6): found \"hadoop\", expected a mapping from names");
  }

  @Test
  void typesAreThoseOfIceberg() throws IllegalAccessException {
    Set<Object> types = new HashSet<>();
    for (Field constant : CatalogUtil.class.getFields()) {
      if (constant.getName().startsWith("ICEBERG_CATALOG_TYPE_")) {
        types.add(constant.get(null));
      }
    }
    assertThat(CatalogSettings.TYPES)
        .hasSameElementsAs(types.stream().map(Object::toString).toList());
    assertThat(withCatalog("name: a\nproperties: {type: REST}").catalog().properties())
        .containsEntry("type", "REST");
  }
}
