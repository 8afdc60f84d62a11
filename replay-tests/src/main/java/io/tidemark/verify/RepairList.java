package io.tidemark.verify;

import io.tidemark.change.PrimaryKey;
import io.tidemark.iceberg.RowKeys;
import io.tidemark.oracle.Damage;
import io.tidemark.oracle.Place;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;

/** What a comparison found that differs, in the terms of the code that keeps tables. */
final class RepairList implements Damage {

  private final RowKeys keys;

  /** Records of the log that stand at keys that differ. */
  final Set<Place> standing = new HashSet<>();

  /** Keys of rows that the log does not have. */
  final Set<PrimaryKey> unknown = new HashSet<>();

  /** Locations of files that are referred to twice. */
  final Set<String> doubled = new TreeSet<>();

  /** Keys that differ, and whose last record may be lost. */
  long lost;

  /**
   * An empty list.
   *
   * @param rows the schema of the table's rows
   */
  RepairList(Schema rows) {
    keys = new RowKeys(rows);
  }

  @Override
  public void standing(Place record) {
    standing.add(record);
  }

  @Override
  public void unknown(Record row) {
    unknown.add(keys.of(row));
  }

  @Override
  public void lost() {
    lost++;
  }

  @Override
  public void doubled(String file) {
    doubled.add(file);
  }
}
