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
 * @param hoursApart how many hours at most lie between two commits; 0 for milliseconds
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
    int hoursApart) {

  /**
   * How much there is.
   *
   * @param rows that are there before the snapshot
   * @param transactions committed after the snapshot
   * @param resnapshots how many times the connector reads the whole table again
   */
  record Size(int rows, int transactions, int resnapshots) {}

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
  record Unsent(double share, boolean inserts) {}

  /** A small script without ties, repetitions or a second snapshot. */
  public static ScriptOptions of(long seed) {
    Size size = new Size(12, 40, 0);
    Unsent unsent = new Unsent(0, false);
    return new ScriptOptions(
        seed, "shop.public.orders", 4, size, 0, new Repeated(0, 0, 0), true, unsent, 0);
  }

  /** The same with another topic. */
  public ScriptOptions topic(String name) {
    return new ScriptOptions(
        seed, name, partitions, size, ties, repeated, schemas, unsent, hoursApart);
  }

  /** The same with another number of partitions. */
  public ScriptOptions partitions(int count) {
    return new ScriptOptions(seed, topic, count, size, ties, repeated, schemas, unsent, hoursApart);
  }

  /** The same with another size. */
  public ScriptOptions size(int rows, int transactions) {
    return sized(new Size(rows, transactions, size.resnapshots));
  }

  /** The same with further snapshots. */
  public ScriptOptions resnapshots(int count) {
    return sized(new Size(size.rows, size.transactions, count));
  }

  private ScriptOptions sized(Size other) {
    return new ScriptOptions(
        seed, topic, partitions, other, ties, repeated, schemas, unsent, hoursApart);
  }

  /** The same with ties. */
  public ScriptOptions ties(double share) {
    return new ScriptOptions(
        seed, topic, partitions, size, share, repeated, schemas, unsent, hoursApart);
  }

  /** The same with repetitions of each kind. */
  public ScriptOptions repeated(int restarts, int records, int shuffledCopies) {
    Repeated other = new Repeated(restarts, records, shuffledCopies);
    return new ScriptOptions(
        seed, topic, partitions, size, ties, other, schemas, unsent, hoursApart);
  }

  /** The same with or without schemas in the messages. */
  public ScriptOptions schemas(boolean carried) {
    return new ScriptOptions(
        seed, topic, partitions, size, ties, repeated, carried, unsent, hoursApart);
  }

  /** The same with columns that the source leaves out. */
  public ScriptOptions unsent(double share, boolean inserts) {
    Unsent other = new Unsent(share, inserts);
    return new ScriptOptions(
        seed, topic, partitions, size, ties, repeated, schemas, other, hoursApart);
  }

  /** The same with days passing. */
  public ScriptOptions hoursApart(int hours) {
    return new ScriptOptions(seed, topic, partitions, size, ties, repeated, schemas, unsent, hours);
  }
}
