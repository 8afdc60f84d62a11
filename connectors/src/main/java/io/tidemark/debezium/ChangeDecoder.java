package io.tidemark.debezium;

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
