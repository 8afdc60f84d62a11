/**
 * Schema registries: where a message says which schema it was written with, and the REST calls that
 * fetch it.
 *
 * <p>It knows the wire formats of Confluent's and Apicurio's serializers and their HTTP APIs, on
 * the JDK's own client. It does not know what is in a schema. A registry that does not answer is an
 * outage, never a fault of the message.
 */
@NullMarked
package io.tidemark.debezium.registry;

import org.jspecify.annotations.NullMarked;
