package io.tidemark.script;

/**
 * What an {@link EventScript} is to contain. The same options give the same records.
 *
 * @param seed of all random choices
 * @param topic that the records go to
 * @param partitions of the topic, at least 1
 * @param initialRows rows that are there before the snapshot
 * @param transactions committed after the snapshot
 * @param resnapshots how many times the connector reads the whole table again
 * @param ties share of statements, 0 to 1, that write a second event at the position of the one
 *     before
 * @param restarts how many times the connector starts over and repeats the end of what it had sent
 * @param duplicates single records that are repeated later
 * @param shuffledCopies how many copies of all that, each in an order of its own, follow at the end
 * @param schemas whether messages carry their schema
 * @param unsent share of the texts that an update left as they were, 0 to 1, that the source does
 *     not send
 * @param unsentInserts whether that holds for the insert of a changed key, too, so that the value
 *     lies under the old key alone
 * @param hoursApart how many hours at most lie between two commits; 0 for milliseconds
 */
public record ScriptOptions(
    long seed,
    String topic,
    int partitions,
    int initialRows,
    int transactions,
    int resnapshots,
    double ties,
    int restarts,
    int duplicates,
    int shuffledCopies,
    boolean schemas,
    double unsent,
    boolean unsentInserts,
    int hoursApart) {

  /** A small script without ties, repetitions or a second snapshot. */
  public static ScriptOptions of(long seed) {
    return new ScriptOptions(
        seed, "shop.public.orders", 4, 12, 40, 0, 0, 0, 0, 0, true, 0, false, 0);
  }

  /** The same with another topic. */
  public ScriptOptions topic(String name) {
    return new ScriptOptions(
        seed,
        name,
        partitions,
        initialRows,
        transactions,
        resnapshots,
        ties,
        restarts,
        duplicates,
        shuffledCopies,
        schemas,
        unsent,
        unsentInserts,
        hoursApart);
  }

  /** The same with another number of partitions. */
  public ScriptOptions partitions(int count) {
    return new ScriptOptions(
        seed,
        topic,
        count,
        initialRows,
        transactions,
        resnapshots,
        ties,
        restarts,
        duplicates,
        shuffledCopies,
        schemas,
        unsent,
        unsentInserts,
        hoursApart);
  }

  /** The same with another size. */
  public ScriptOptions size(int rows, int committed) {
    return new ScriptOptions(
        seed,
        topic,
        partitions,
        rows,
        committed,
        resnapshots,
        ties,
        restarts,
        duplicates,
        shuffledCopies,
        schemas,
        unsent,
        unsentInserts,
        hoursApart);
  }

  /** The same with further snapshots. */
  public ScriptOptions resnapshots(int count) {
    return new ScriptOptions(
        seed,
        topic,
        partitions,
        initialRows,
        transactions,
        count,
        ties,
        restarts,
        duplicates,
        shuffledCopies,
        schemas,
        unsent,
        unsentInserts,
        hoursApart);
  }

  /** The same with ties. */
  public ScriptOptions ties(double share) {
    return new ScriptOptions(
        seed,
        topic,
        partitions,
        initialRows,
        transactions,
        resnapshots,
        share,
        restarts,
        duplicates,
        shuffledCopies,
        schemas,
        unsent,
        unsentInserts,
        hoursApart);
  }

  /** The same with repetitions of each kind. */
  public ScriptOptions repeated(int connectorRestarts, int singleRecords, int copies) {
    return new ScriptOptions(
        seed,
        topic,
        partitions,
        initialRows,
        transactions,
        resnapshots,
        ties,
        connectorRestarts,
        singleRecords,
        copies,
        schemas,
        unsent,
        unsentInserts,
        hoursApart);
  }

  /** The same with or without schemas in the messages. */
  public ScriptOptions schemas(boolean carried) {
    return new ScriptOptions(
        seed,
        topic,
        partitions,
        initialRows,
        transactions,
        resnapshots,
        ties,
        restarts,
        duplicates,
        shuffledCopies,
        carried,
        unsent,
        unsentInserts,
        hoursApart);
  }

  /** The same with days passing. */
  public ScriptOptions hoursApart(int hours) {
    return new ScriptOptions(
        seed,
        topic,
        partitions,
        initialRows,
        transactions,
        resnapshots,
        ties,
        restarts,
        duplicates,
        shuffledCopies,
        schemas,
        unsent,
        unsentInserts,
        hours);
  }

  /** The same with columns that the source leaves out. */
  public ScriptOptions unsent(double share, boolean inserts) {
    return new ScriptOptions(
        seed,
        topic,
        partitions,
        initialRows,
        transactions,
        resnapshots,
        ties,
        restarts,
        duplicates,
        shuffledCopies,
        schemas,
        share,
        inserts,
        hoursApart);
  }
}
