package io.tidemark.config;

/**
 * The way of one topic into its table.
 *
 * @param table full name, {@code namespace.table}
 * @param rules what holds for it
 */
public record TableRoute(String topic, String table, RouteSettings rules) {}
