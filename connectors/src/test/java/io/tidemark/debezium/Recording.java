package io.tidemark.debezium;

import io.tidemark.corpus.Fold;
import java.util.List;

/** A recorded table, with the database's own answer and what the source itself loses of it. */
interface Recording {

  /** Its folder and its name, such as {@code pg-keys k.comp}. */
  String place();

  /** All records of its topic, in the order of their emission. */
  List<RawRecord> records();

  /** An empty fold of its changes. */
  Fold fold();

  /** Names of the key's columns, in the order in which {@link #differences} has their values. */
  List<String> key();

  /**
   * Cells and rows of a fold that are not the database's: {@code key.column = found}, {@code key is
   * missing}, {@code key is too much}.
   */
  List<String> differences(Fold fold);

  /** The differences that a fold of all records has, because the source does not send more. */
  List<String> lost();
}
