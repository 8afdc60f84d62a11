package io.tidemark.cli;

import io.tidemark.config.Settings;
import io.tidemark.failure.Failure;
import io.tidemark.failure.FailureKind;
import io.tidemark.job.ClusterJob;
import io.tidemark.job.RunOptions;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.apache.flink.client.program.ProgramParametrizationException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The program of the jar that goes to a cluster.
 *
 * <p>It runs inside of {@code flink run}, or of a job manager that was given the jar: it never ends
 * the process. What must be said to a person is thrown as what Flink prints without a stack trace.
 */
@Command(
    name = "flink run [-d] [-s SAVEPOINT] tidemark-cluster.jar",
    mixinStandardHelpOptions = true,
    versionProvider = TidemarkVersion.class,
    description =
        "Applies the changes of the topics to the table, on the Flink cluster that it is submitted"
            + " to. Without -s it goes on from the table's own record, and with it from Flink's state.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  flink run -d tidemark-cluster.jar -c shop.yaml",
      "  flink run -d -s /savepoints/savepoint-1a2b3c tidemark-cluster.jar -c shop.yaml",
      "  flink run tidemark-cluster.jar -c shop.yaml --until caught-up",
    })
public final class ClusterCommand {

  @Spec private CommandSpec spec;
  @Mixin private ConfigFile config = new ConfigFile();
  @Mixin private StartOptions start = new StartOptions();

  private ClusterCommand() {
    spec = CommandSpec.create(); // picocli sets the real one
  }

  /**
   * Plans and submits.
   *
   * @throws ProgramParametrizationException with what to do, if the job cannot be started
   */
  public static void main(String[] args) {
    ClusterCommand command = new ClusterCommand();
    CommandLine line =
        new CommandLine(command)
            .setHelpFactory(CopyableHelp::new)
            .setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
    try {
      if (!CommandLine.printHelpIfRequested(line.parseArgs(args))) {
        command.submit();
      }
    } catch (ParameterException e) {
      throw refusal(e.getMessage() + "\n" + line.getUsageMessage().stripTrailing(), e);
    } catch (RuntimeException e) {
      Failure failure = FailureReport.explain(e);
      if (failure.kind() == FailureKind.BUG) {
        throw e; // Flink prints where it happened
      }
      throw refusal(command.config.typed(failure.message()), e);
    }
  }

  private void submit() {
    RunOptions options = start.read(spec);
    Settings settings = config.read();
    ClusterJob.submit(settings, options);
  }

  private static ProgramParametrizationException refusal(String message, Exception cause) {
    ProgramParametrizationException refusal = new ProgramParametrizationException(message);
    refusal.initCause(cause);
    return refusal;
  }
}
