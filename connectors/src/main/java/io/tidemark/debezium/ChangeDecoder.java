package io.tidemark.debezium;

import io.tidemark.debezium.version.VersionScheme;
import io.tidemark.row.RowShape;
import io.tidemark.row.RowWriter;

/** Turns the records of one table into outcomes. Not thread-safe: one per reader and table. */
@FunctionalInterface
public interface ChangeDecoder {

  /**
   * What a record is. Bad input is an outcome, never an exception.
   *
   * @return the row of a {@link DecodeResult.Decoded} belongs to the caller
   * @throws io.tidemark.debezium.registry.RegistryUnavailableException if a schema registry did not
   *     answer; nothing is known of the record then
   */
  DecodeResult decode(RawRecord record);

  /**
   * Whether Kafka's offsets alone order the changes of a table: where the scheme says so, and of
   * MongoDB, whose positions do not compare. A table of another source that has a collection's very
   * columns is taken for one.
   *
   * @param shape the table's columns
   */
  static boolean isOrderedByOffset(VersionScheme scheme, RowShape shape) {
    return scheme instanceof VersionScheme.KafkaOffset
        || (scheme instanceof VersionScheme.Auto && DocumentTable.isOf(shape));
  }

  /**
   * The decoder of what the settings say.
   *
   * @param shape the table's columns
   * @param writer of that shape; the decoder's own from here on
   * @throws IllegalArgumentException if the settings name a column that the shape does not have, an
   *     encoding that its type does not have, or key columns other than the shape's
   */
  static ChangeDecoder of(RowShape shape, DecoderSettings settings, RowWriter writer) {
    return settings.unwrap() == null
        ? new EnvelopeDecoder(shape, settings, writer)
        : new FlatDecoder(shape, settings, writer);
  }
}
