package io.tidemark.iceberg;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.commit.RecordCodec;
import java.util.Random;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/** Somebody who adds and drops columns of a table while jobs write to it. */
final class OtherColumns {
  /** Nobody does. */
  static final OtherColumns NONE = new OtherColumns(null);

  private final @Nullable Random random;

  OtherColumns(@Nullable Random random) {
    this.random = random;
  }

  /** Changes them as an event of its own, or leaves that to others. */
  boolean change(Table table) {
    boolean mine = random != null && random.nextBoolean();
    if (mine) {
      FaultyTables.happens("columns changed");
      update(table, random);
    }
    return mine;
  }

  /** Changes them sometimes, after a committer has read the table and before it swaps. */
  void betweenReadAndSwap(Table table) {
    if (random != null && random.nextInt(30) == 0) {
      FaultyTables.happens("columns changed between read and swap");
      update(table, random);
    }
  }

  /**
   * A column of a name that was never there, so that no job finds again what it was built for; and
   * sometimes in place of the one before.
   */
  private static void update(Table table, Random random) {
    UpdateSchema update = table.updateSchema();
    int number = table.schemas().size();
    String before = "theirs_" + (number - 1);
    if (table.schema().findField(before) != null && random.nextBoolean()) {
      update.deleteColumn(before);
    }
    update.addColumn("theirs_" + number, Types.StringType.get()).commit();
  }

  /** What was written for one set of columns was not committed under another. */
  static void areThoseOf(TableVersion known, Table table, String commitId) {
    for (Snapshot snapshot : table.snapshots()) {
      if (commitId.equals(snapshot.summary().get(RecordCodec.COMMIT_ID))) {
        assertThat(snapshot.schemaId()).as(commitId).isEqualTo(known.schemaId());
      }
    }
  }
}
