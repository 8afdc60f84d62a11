package io.tidemark.sandbox;

/**
 * How a {@link Stack} is set up.
 *
 * @param name first part of the topic's name and name of the job
 * @param partitions of the topic
 * @param parallelism of the job
 * @param schemas whether each record carries its schema
 */
public record StackSettings(String name, int partitions, int parallelism, boolean schemas) {

  /** Four partitions and two tasks, with schemas, so that the table can be created from them. */
  public static StackSettings named(String name) {
    return new StackSettings(name, 4, 2, true);
  }
}
