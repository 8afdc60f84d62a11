package io.tidemark.row;

import java.io.Serializable;

/**
 * A column of a table, as far as the source's row goes.
 *
 * @param name the column's name, the same at the source and in the table
 * @param key whether it belongs to the primary key
 */
public record Column(String name, ColumnType type, boolean key) implements Serializable {}
