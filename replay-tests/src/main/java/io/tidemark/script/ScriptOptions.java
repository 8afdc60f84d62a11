package io.tidemark.script;

/**
 * What an {@link EventScript} is to contain. The same options give the same records.
 *
 * @param seed of all random choices
 * @param topic that the records go to
 * @param partitions of the topic, at least 1
 * @param ties share of statements, 0 to 1, that write a second event at the position of the one
 *     before
 * @param schemas whether messages carry their schema
 * @param clocks what times the events have
 */
public record ScriptOptions(
    long seed,
    String topic,
    int partitions,
    Size size,
    double ties,
    Repeated repeated,
    boolean schemas,
    Unsent unsent,
    Clocks clocks) {

  /**
   * How much there is.
   *
   * @param rows that are there before the snapshot
   * @param transactions committed after the snapshot
   * @param resnapshots how many times the connector reads the whole table again
   * @param truncates how many times the table is truncated after each of its snapshots
   */
  record Size(int rows, int transactions, int resnapshots, int truncates) {}

  /**
   * What is sent more than once.
   *
   * @param restarts how many times the connector starts over and repeats the end of what it had
   *     sent
   * @param records single ones that are repeated later
   * @param shuffledCopies how many copies of all that, each in an order of its own, follow at the
   *     end
   */
  record Repeated(int restarts, int records, int shuffledCopies) {}

  /**
   * What the source does not send.
   *
   * @param share of the texts that an update left as they were, 0 to 1
   * @param inserts whether that holds for the insert of a changed key, too, so that the value lies
   *     under the old key alone
   */
  public record Unsent(double share, boolean inserts) {}

  /**
   * What times the events have.
   *
   * @param hoursApart how many hours at most lie between two commits; 0 for milliseconds
   * @param connectorAheadHours how many hours the connector's clock, which stamps the rows of
   *     snapshots and the sending, is ahead of the database's, which stamps commits; below 0 where
   *     it is behind
   */
  record Clocks(int hoursApart, int connectorAheadHours) {}

  /** A small script without ties, repetitions or a second snapshot. */
  public static ScriptOptions of(long seed) {
    Size size = new Size(12, 40, 0, 0);
    Unsent unsent = new Unsent(0, false);
    return new ScriptOptions(
        seed,
        "shop.public.orders",
        4,
        size,
        0,
        new Repeated(0, 0, 0),
        true,
        unsent,
        new Clocks(0, 0));
  }

  /** The same with another topic. */
  public ScriptOptions topic(String name) {
    return new ScriptOptions(seed, name, partitions, size, ties, repeated, schemas, unsent, clocks);
  }

  /** The same with another number of partitions. */
  public ScriptOptions partitions(int count) {
    return new ScriptOptions(seed, topic, count, size, ties, repeated, schemas, unsent, clocks);
  }

  /** The same with another size. */
  public ScriptOptions size(int rows, int transactions) {
    return sized(new Size(rows, transactions, size.resnapshots, size.truncates));
  }

  /** The same with further snapshots. */
  public ScriptOptions resnapshots(int count) {
    return sized(new Size(size.rows, size.transactions, count, size.truncates));
  }

  /**
   * The same with truncates, of which a table hears that keeps the rows: the log's fold is not the
   * database any more.
   */
  public ScriptOptions truncates(int count) {
    return sized(new Size(size.rows, size.transactions, size.resnapshots, count));
  }

  private ScriptOptions sized(Size other) {
    return new ScriptOptions(
        seed, topic, partitions, other, ties, repeated, schemas, unsent, clocks);
  }

  /** The same with ties. */
  public ScriptOptions ties(double share) {
    return new ScriptOptions(
        seed, topic, partitions, size, share, repeated, schemas, unsent, clocks);
  }

  /** The same with repetitions of each kind. */
  public ScriptOptions repeated(int restarts, int records, int shuffledCopies) {
    Repeated other = new Repeated(restarts, records, shuffledCopies);
    return new ScriptOptions(seed, topic, partitions, size, ties, other, schemas, unsent, clocks);
  }

  /** The same with or without schemas in the messages. */
  public ScriptOptions schemas(boolean carried) {
    return new ScriptOptions(
        seed, topic, partitions, size, ties, repeated, carried, unsent, clocks);
  }

  /** The same with columns that the source leaves out. */
  public ScriptOptions unsent(double share, boolean inserts) {
    Unsent other = new Unsent(share, inserts);
    return new ScriptOptions(seed, topic, partitions, size, ties, repeated, schemas, other, clocks);
  }

  /** The same with days passing. */
  public ScriptOptions hoursApart(int hours) {
    return timed(new Clocks(hours, clocks.connectorAheadHours));
  }

  /** The same with a connector whose clock is not the database's. */
  public ScriptOptions connectorAheadHours(int hours) {
    return timed(new Clocks(clocks.hoursApart, hours));
  }

  private ScriptOptions timed(Clocks other) {
    return new ScriptOptions(seed, topic, partitions, size, ties, repeated, schemas, unsent, other);
  }
}
