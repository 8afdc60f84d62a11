/**
 * How bytes become messages: a schema, if there is one, and the tokens of a JSON text.
 *
 * <p>The decoders read JSON tokens and Connect schemas whatever the bytes are: a binary format
 * presents a message as Kafka Connect's JSON converter would have written it. Nothing here knows
 * what an envelope means, nor where a schema registry is.
 */
@NullMarked
package io.tidemark.debezium.format;

import org.jspecify.annotations.NullMarked;
