/** Settings, read once and checked together. Pure: no Flink, no Iceberg. */
@NullMarked
package io.tidemark.config;

import org.jspecify.annotations.NullMarked;
