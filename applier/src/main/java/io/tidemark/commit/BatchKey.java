package io.tidemark.commit;

/**
 * Which batch it is, the same in every subtask. Batches apply in this order, and two of them never
 * merge: a later one may delete rows of an earlier one.
 *
 * @param checkpoint the checkpoint at whose barrier the batch, or the last of its run, was closed;
 *     {@link Long#MAX_VALUE} for the end of bounded input
 * @param index position in that run, from 0
 */
public record BatchKey(long checkpoint, int index) implements Comparable<BatchKey> {

  @Override
  public int compareTo(BatchKey other) {
    int order = Long.compare(checkpoint, other.checkpoint);
    return order != 0 ? order : Integer.compare(index, other.index);
  }
}
