package io.tidemark.oracle;

import java.util.Map;

/**
 * What a table must hold.
 *
 * @param live by key the rows
 * @param deleted by key what is remembered of rows that are gone
 */
public record OracleTable(
    Map<Map<String, Object>, OracleRow> live, Map<Map<String, Object>, OracleRow> deleted) {}
