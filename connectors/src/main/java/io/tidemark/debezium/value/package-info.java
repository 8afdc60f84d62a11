/**
 * Logical types to values: how a source writes a value in JSON, and the one value of a column's
 * type that it stands for.
 *
 * <p>{@link io.tidemark.debezium.value.ColumnSpec} pairs a type with its encoding on the wire,
 * comes from a message's schema, from a configuration file or from a table, and has a text form. A
 * converter exists for every pair of specification and column type that loses nothing; what a type
 * cannot hold is an {@link io.tidemark.debezium.value.Unrepresentable}, never a changed value.
 */
@NullMarked
package io.tidemark.debezium.value;

import org.jspecify.annotations.NullMarked;
