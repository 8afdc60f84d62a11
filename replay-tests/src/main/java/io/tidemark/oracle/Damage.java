package io.tidemark.oracle;

import org.apache.iceberg.data.Record;

/** Takes all that has to be put right, as a comparison finds it. */
public interface Damage {

  /** For a comparison that only reports. */
  Damage IGNORED =
      new Damage() {
        @Override
        public void standing(Place record) {}

        @Override
        public void unknown(Record row) {}

        @Override
        public void lost() {}

        @Override
        public void doubled(String file) {}
      };

  /** A key differs; this record, of a row or of its delete, is the one that stands at it. */
  void standing(Place record);

  /** A row whose key the log, as far as it goes, does not have. */
  void unknown(Record row);

  /** A key differs, and the record that stands at it may be among those that the log has lost. */
  void lost();

  /** A file is referred to once more than it should be. */
  void doubled(String file);
}
