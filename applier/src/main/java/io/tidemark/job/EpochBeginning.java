package io.tidemark.job;

import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.CommitSequence;
import io.tidemark.commit.NewEpoch;
import io.tidemark.commit.Retention;
import io.tidemark.commit.TableLedger;
import io.tidemark.config.ConfigException;
import io.tidemark.config.Settings;
import io.tidemark.config.TombstoneSettings;
import io.tidemark.failure.RefusedException;
import io.tidemark.iceberg.IcebergLedgerFactory;
import io.tidemark.iceberg.IcebergTables;
import io.tidemark.iceberg.TableDescription;
import io.tidemark.iceberg.TableState;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Begins an epoch in a table: one commit without files, made like any other. A job that runs finds
 * it at its own next commit, and stops.
 */
public final class EpochBeginning {
  private EpochBeginning() {}

  /**
   * Asks Kafka and the table, and commits.
   *
   * @throws ConfigException if the topic is not among those of the settings
   * @throws RefusedException if an epoch cannot begin there, or a job committed meanwhile
   * @throws io.tidemark.commit.UnavailableException if the broker or the catalog does not answer
   */
  public static NewEpoch begin(Settings settings, NewEpoch.Request request) {
    try (KafkaTopics kafka = new KafkaTopics(settings.kafka());
        IcebergTables tables = IcebergTables.open(settings.catalog())) {
      if (!kafka.matching().contains(request.topic())) {
        throw ConfigException.of(
            "kafka.topics",
            "is "
                + settings.kafka().topics()
                + ", and there is no topic "
                + request.topic()
                + " among them");
      }
      String name = settings.routes(List.of(request.topic())).get(0).table();
      TableDescription table = table(tables, name);
      CommitRecord record = table.record();
      if (record == null) {
        throw new RefusedException(
            "Table "
                + name
                + " has no record: an epoch ranks above what a table was made from, and this one was"
                + " made from nothing. Run the job first");
      }
      KafkaTopics.Topic topic = kafka.topic(request.topic());
      NewEpoch epoch = NewEpoch.of(request, record.progress(), topic.id(), topic.ranges());
      IcebergLedgerFactory ledgers =
          new IcebergLedgerFactory(settings.catalog(), name, table.version(), null);
      commit(() -> ledgers.open(Backoffs.commits()), record, epoch);
      return epoch;
    }
  }

  /**
   * Makes the commit.
   *
   * @param record the one that {@code epoch} was decided on
   * @throws RefusedException if it is not the table's newest any more
   */
  public static void commit(Supplier<TableLedger> ledgers, CommitRecord record, NewEpoch epoch) {
    try (TableLedger ledger = ledgers.get()) {
      CommitSequence commits =
          new CommitSequence(
              ledger,
              "epoch --begin " + UUID.randomUUID(),
              new Retention(TombstoneSettings.MAX_DAYS), // the horizon stays
              record.commitId());
      commits.close(0, UUID.randomUUID().toString(), List.of(), epoch.progress());
      commits.commit(0, true);
    } catch (RefusedException e) {
      throw new RefusedException(
          "No epoch was begun: a job is writing to the table. Stop it first, then type the command"
              + " again. "
              + e.getMessage());
    }
  }

  private static TableDescription table(IcebergTables tables, String name) {
    if (tables.state(name) == TableState.ABSENT) {
      throw new RefusedException("There is no table " + name + ": run the job first");
    }
    return tables.describe(name);
  }
}
