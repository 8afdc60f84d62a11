/**
 * What can be known before a run: of the brokers, the topics, their first messages, the catalog and
 * the tables.
 *
 * <p>Brokers and catalogs are behind {@link io.tidemark.cli.check.KafkaView} and {@link
 * io.tidemark.cli.check.CatalogView}; every question to them ends within a bounded time.
 */
@NullMarked
package io.tidemark.cli.check;

import org.jspecify.annotations.NullMarked;
