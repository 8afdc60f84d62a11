package io.tidemark.cli;

import io.tidemark.failure.ExitCode;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The root of all commands. */
@Command(
    name = "tidemark",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = TidemarkVersion.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "Brings database changes into Apache Iceberg tables, safe to replay.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all is well",
      "1:a check found something",
      "2:the command or the configuration cannot be used",
      "3:a run failed"
    },
    subcommands = {
      RunCommand.class,
      CheckCommand.class,
      StatusCommand.class,
      ShowCommand.class,
      EpochCommand.class,
      RedriveCommand.class
    })
public final class TidemarkCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Show where a failure happened, with its stack trace.")
  private boolean verbose;

  private TidemarkCommand() {
    spec = CommandSpec.create(); // picocli sets the real one
  }

  /** For the jar that goes to a cluster, and wherever there is no sandbox. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  /**
   * Runs one command.
   *
   * @param extraSubcommands further commands, annotated for picocli
   * @return the exit code
   */
  public static int run(String[] args, Object... extraSubcommands) {
    return run(
        new PrintWriter(System.out, true, StandardCharsets.UTF_8),
        new PrintWriter(System.err, true, StandardCharsets.UTF_8),
        args,
        extraSubcommands);
  }

  /** The same with other places for what it prints. */
  public static int run(
      PrintWriter out, PrintWriter err, String[] args, Object... extraSubcommands) {
    TidemarkCommand root = new TidemarkCommand();
    CommandLine commandLine = new CommandLine(root);
    for (Object subcommand : extraSubcommands) {
      commandLine.addSubcommand(subcommand);
    }
    FailureReport report = new FailureReport(() -> root.verbose);
    return commandLine
        .setOut(out)
        .setErr(err)
        .setUsageHelpAutoWidth(true)
        .setHelpFactory(CopyableHelp::new)
        .setParameterExceptionHandler(report::usage)
        .setExecutionExceptionHandler(report::failure)
        .setExitCodeExceptionMapper(e -> ExitCode.FAILED)
        .execute(args);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }
}
