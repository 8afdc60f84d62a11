package io.tidemark.cli;

import io.tidemark.commit.CommitRefusedException;
import io.tidemark.commit.ForeignWriteException;
import io.tidemark.commit.TableChangedException;
import io.tidemark.commit.UnavailableException;
import io.tidemark.config.ConfigException;
import io.tidemark.config.Names;
import io.tidemark.debezium.registry.RegistryUnavailableException;
import io.tidemark.failure.BadEventException;
import io.tidemark.failure.ExitCode;
import io.tidemark.failure.Failure;
import io.tidemark.failure.FailureKind;
import io.tidemark.failure.Failures;
import io.tidemark.failure.Failures.Rule;
import io.tidemark.failure.RefusedException;
import io.tidemark.iceberg.CatalogWords;
import io.tidemark.iceberg.FileFault;
import io.tidemark.iceberg.TableMismatchException;
import io.tidemark.merge.UnknownColumnException;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.flink.util.SerializedThrowable;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NotAuthorizedException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.RESTException;
import org.apache.iceberg.exceptions.RuntimeIOException;
import org.apache.iceberg.jdbc.UncheckedSQLException;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what went wrong and what to do, on standard error. */
final class FailureReport {
  private static final Failures FAILURES =
      new Failures(
          List.of(
              Rule.of(ConfigException.class, FailureKind.BAD_CONFIG),
              Rule.of(BadEventException.class, FailureKind.BAD_EVENT),
              Rule.of(UnknownColumnException.class, FailureKind.BAD_EVENT),
              Rule.of(RefusedException.class, FailureKind.REFUSED),
              Rule.of(CommitRefusedException.class, FailureKind.REFUSED),
              Rule.of(TableChangedException.class, FailureKind.BAD_TABLE),
              Rule.of(CannotUseException.class, FailureKind.USAGE),
              Rule.of(UnavailableException.class, FailureKind.UNAVAILABLE),
              Rule.of(RegistryUnavailableException.class, FailureKind.UNAVAILABLE),
              Rule.of(CancellationException.class, FailureKind.UNAVAILABLE),
              Rule.of(ForeignWriteException.class, FailureKind.ANOTHER_WRITER),
              Rule.of(TableMismatchException.class, FailureKind.BAD_TABLE),
              new Rule<>(
                  NoSuchTableException.class,
                  FailureKind.BAD_TABLE,
                  e ->
                      e.getMessage()
                          + ". If it was dropped on purpose, start without state (./tidemark run -c"
                          + " FILE): that makes it anew, from kafka.start. If not, bring it back"
                          + " first"),
              Rule.of(NotAuthorizedException.class, FailureKind.BAD_CONFIG),
              catalogIsAway(RESTException.class),
              catalogIsAway(UncheckedSQLException.class),
              aFileIsGone(),
              Rule.of(RuntimeIOException.class, FailureKind.UNAVAILABLE),
              new Rule<>(
                  InvalidOffsetException.class,
                  FailureKind.REFUSED,
                  e ->
                      "Kafka does not have the offset that comes next: "
                          + places(e)
                          + ", and no job may skip what is not there. Start without state"
                          + " (./tidemark run -c FILE): it goes on from the table's record, or names"
                          + " the range that is missing and what --accept-gap does"),
              new Rule<>(
                  RetriableException.class,
                  FailureKind.UNAVAILABLE,
                  e -> "Kafka (kafka.bootstrap.servers): " + e.getMessage()),
              new Rule<>(
                  KafkaException.class,
                  FailureKind.BAD_CONFIG,
                  e -> "Kafka (kafka.bootstrap.servers, kafka.properties): " + e.getMessage())));

  private final BooleanSupplier verbose;

  FailureReport(BooleanSupplier verbose) {
    this.verbose = verbose;
  }

  /** A command line that cannot be understood. */
  int usage(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println(command.getColorScheme().errorText(said(e)));
    suggest(e, command, err);
    err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    err.flush();
    return ExitCode.USAGE;
  }

  /** A command that did not work. */
  int failure(Exception e, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    Failure failure = explain(e);
    err.println(command.getColorScheme().errorText(typed(failure.message(), command)));
    if (verbose.getAsBoolean()) {
      err.println(command.getColorScheme().stackTraceText(e));
    }
    err.flush();
    return failure.kind().exitCode();
  }

  /** Commands that a message names are of the configuration that this command has. */
  private static String typed(String message, CommandLine command) {
    String typed = message;
    for (CommandSpec mixin : command.getCommandSpec().mixins().values()) {
      typed = mixin.userObject() instanceof ConfigFile config ? config.typed(typed) : typed;
    }
    return typed;
  }

  /** What an exception means, also one that Flink handed on. */
  static Failure explain(Throwable e) {
    return FAILURES.explain(original(e));
  }

  private static <E extends RuntimeException> Rule<E> catalogIsAway(Class<E> type) {
    return new Rule<>(
        type,
        FailureKind.UNAVAILABLE,
        e -> "The catalog (catalog.properties): " + CatalogWords.of(e));
  }

  private static Rule<NotFoundException> aFileIsGone() {
    return new Rule<>(
        NotFoundException.class, FailureKind.BAD_TABLE, e -> FileFault.words("a table", e));
  }

  /** The partitions in their order, with the offset where Kafka's exception tells it. */
  private static String places(InvalidOffsetException e) {
    Map<TopicPartition, Long> offsets =
        e instanceof OffsetOutOfRangeException beyond
            ? beyond.offsetOutOfRangePartitions()
            : Map.of();
    return e.partitions().stream()
        .sorted(
            Comparator.comparing(TopicPartition::topic).thenComparing(TopicPartition::partition))
        .map(
            tp ->
                "partition " + tp + (offsets.get(tp) == null ? "" : ", offset " + offsets.get(tp)))
        .collect(Collectors.joining("; "));
  }

  /** Flink hands exceptions on in serialized form, since their classes may be unknown. */
  private static Throwable original(Throwable thrown) {
    Throwable e = thrown;
    while (e != null && !(e instanceof SerializedThrowable)) {
      e = e.getCause() == e ? null : e.getCause();
    }
    return e instanceof SerializedThrowable serialized
        ? serialized.deserializeError(FailureReport.class.getClassLoader())
        : thrown;
  }

  private static String said(ParameterException e) {
    String message = String.valueOf(e.getMessage());
    return message.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + message.substring(1);
  }

  private static void suggest(ParameterException e, CommandLine command, PrintWriter err) {
    if (!(e instanceof UnmatchedArgumentException unmatched)) {
      if (!command.getSubcommands().isEmpty()) {
        err.println("Commands: " + String.join(", ", command.getSubcommands().keySet()));
      }
      return;
    }
    String word = unmatched.getUnmatched().get(0);
    List<String> known =
        word.startsWith("-")
            ? command.getCommandSpec().optionsMap().keySet().stream().toList()
            : command.getSubcommands().keySet().stream().toList();
    Names.nearest(word.split("=", 2)[0], known)
        .ifPresentOrElse(
            near -> err.println("Did you mean " + near + "?"),
            () -> {
              if (!word.startsWith("-") && !known.isEmpty()) {
                err.println("Commands: " + String.join(", ", known));
              }
            });
  }
}
