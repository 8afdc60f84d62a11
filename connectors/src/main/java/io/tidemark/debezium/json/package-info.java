/**
 * Reading JSON bytes: where a message's schema and payload lie, and what is wrong with a text.
 *
 * <p>Rests on Jackson's streaming parser. It knows how Kafka Connect's JSON converter frames a
 * message; it does not know what an envelope means.
 */
@NullMarked
package io.tidemark.debezium.json;

import org.jspecify.annotations.NullMarked;
