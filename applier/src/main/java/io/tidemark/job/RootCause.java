package io.tidemark.job;

import io.tidemark.commit.CommitRefusedException;
import io.tidemark.commit.ForeignWriteException;
import io.tidemark.commit.TableChangedException;
import io.tidemark.commit.UnavailableException;
import io.tidemark.debezium.registry.RegistryUnavailableException;
import io.tidemark.failure.BadEventException;
import io.tidemark.failure.RefusedException;
import io.tidemark.merge.UnknownColumnException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.kafka.clients.consumer.InvalidOffsetException;

/** Finds, in the chain of causes that Flink wraps around a failure, the one that a person needs. */
final class RootCause {
  private RootCause() {}

  /**
   * The first in the chain that says what to do, which is one of our own, Kafka's with the offset
   * that it lacks, or Iceberg's with the file; else the last of all.
   */
  static Throwable of(Throwable failure) {
    Throwable last = failure;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof BadEventException
          || cause instanceof RefusedException
          || cause instanceof ForeignWriteException
          || cause instanceof TableChangedException
          || cause instanceof CommitRefusedException
          || cause instanceof UnknownColumnException
          || cause instanceof RegistryUnavailableException
          || cause instanceof UnavailableException
          || cause instanceof NotFoundException
          || cause instanceof InvalidOffsetException) {
        return cause;
      }
      last = cause;
      if (cause.getCause() == cause) {
        break;
      }
    }
    return last;
  }
}
