package io.tidemark.cli;

import static io.tidemark.cli.CommandLineFixture.config;
import static io.tidemark.cli.CommandLineFixture.file;
import static io.tidemark.cli.CommandLineFixture.tidemark;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.CommandLineFixture.Outcome;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Command;

class TidemarkCommandTest {
  @TempDir private Path dir;

  @Test
  void helpNamesEveryCommand() {
    Outcome outcome = tidemark("--help");

    assertThat(outcome.exit()).isZero();
    assertThat(outcome.out()).contains("run ", "check ", "show ", "Exit codes:");
    assertThat(outcome.err()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "check", "show"})
  void everyCommandHasHelpWithExamples(String command) {
    Outcome outcome = tidemark(command, "--help");

    assertThat(outcome.exit()).isZero();
    assertThat(outcome.out())
        .contains(
            "Usage: tidemark " + command, "--config", "Example", "tidemark " + command + " -c");
  }

  @Test
  void anExampleIsALineWhateverTheWidth() {
    assertThat(tidemark("run", "--help").out().lines())
        .contains(
            "  tidemark run -c shop.yaml --from shop.public.orders:0=1200,shop.public.orders:1=980")
        .allSatisfy(
            line -> assertThat(line.startsWith("  tidemark ") || line.length() <= 80).isTrue());
    assertThat(tidemark("show", "--help").out().lines())
        .contains(
            "  tidemark show -c shop.yaml shop.orders --where \"id >= 100 and status = 'new'\""
                + " --limit 10");
  }

  @Test
  void noCommandIsAUsageError() {
    assertThat(tidemark())
        .isEqualTo(
            new Outcome(
                2,
                "",
                "Missing command%nCommands: run, check, status, show, epoch, redrive%nTry 'tidemark --help'.%n"
                    .formatted()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "chekc | Did you mean check?",
        "shwo | Did you mean show?",
        "destroy | Commands: run, check, status, show, epoch, redrive"
      })
  void anUnknownCommandSuggestsAKnownOne(String command, String suggestion) {
    Outcome outcome = tidemark(command);

    assertThat(outcome.exit()).isEqualTo(2);
    assertThat(outcome.err()).contains("'" + command + "'", suggestion, "Try 'tidemark --help'.");
    assertThat(outcome.out()).isEmpty();
  }

  @Test
  void anUnknownOptionSuggestsAKnownOne() {
    Outcome outcome = tidemark("run", "-c", "x", "--untill=caught-up");

    assertThat(outcome.exit()).isEqualTo(2);
    assertThat(outcome.err())
        .contains("--untill", "Did you mean --until?", "Try 'tidemark run --help'.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "check", "show"})
  void theConfigurationIsRequired(String command) {
    Outcome outcome = tidemark(command);

    assertThat(outcome.exit()).isEqualTo(2);
    assertThat(outcome.err()).contains("--config=FILE", "Try 'tidemark " + command + " --help'.");
  }

  @Test
  void anAbsentFileIsAConfigError() {
    Outcome outcome = tidemark("check", "-c", dir.resolve("no.yaml").toString());

    assertThat(outcome.exit()).isEqualTo(2);
    assertThat(outcome.err())
        .isEqualTo(
            "The configuration has a problem:\n  there is no file %s%n"
                .formatted(dir.resolve("no.yaml")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | the file is empty",
        "'kafka: [' | line 1: this is not YAML",
        "'nothing: 1' | nothing (line 1): found an unknown key",
        "'kafka: {topics: ''(''}' | kafka.topics (line 1): found \"(\", expected a regular expression",
        "'kafka: {topics: {a: b}}' | kafka.topics (line 1): found a mapping, expected a regular",
        "'name: ${TIDEMARK_NO_SUCH_VARIABLE}' | found ${TIDEMARK_NO_SUCH_VARIABLE}, expected an environment variable"
      })
  void aBadConfigurationIsAConfigErrorInEveryCommand(String text, String problem) throws Exception {
    String file = file(dir, text);

    for (String[] args :
        new String[][] {{"run", "-c", file}, {"check", "-c", file}, {"show", "-c", file, "a.b"}}) {
      Outcome outcome = tidemark(args);

      assertThat(outcome.exit()).isEqualTo(2);
      assertThat(outcome.err()).contains(problem).doesNotContain("\tat ");
      assertThat(outcome.out()).isEmpty();
    }
  }

  @Test
  void allProblemsAreShownAtOnce() throws Exception {
    Outcome outcome =
        tidemark("check", "-c", file(dir, config(dir) + "gate: {memory: x}\nerors: {}\n"));

    assertThat(outcome.exit()).isEqualTo(2);
    assertThat(outcome.err())
        .contains(
            "has 2 problems", "gate.memory (line 7)", "erors (line 8)", "did you mean errors?");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--from=yesterday | --from: found \"yesterday\", expected recorded, earliest, latest, timestamp=",
        "--from=timestamp=now | : a time looks like 2026-01-31T12:00:00Z",
        "--from=a:0=x | : an offset looks like topic:0=17",
        "--until=tomorrow | --until: found \"tomorrow\", expected caught-up",
        "--progress=0 | --progress: found \"0\", expected a number of seconds, at least 1"
      })
  void badOptionsOfARunAreUsageErrors(String option, String problem) throws Exception {
    Outcome outcome = tidemark("run", "-c", file(dir, config(dir)), option);

    assertThat(outcome.exit()).isEqualTo(2);
    assertThat(outcome.err()).contains(problem, "Try 'tidemark run --help'.");
  }

  @Test
  void aStackTraceIsShownOnRequestOnly() throws Exception {
    String file = file(dir, "");

    assertThat(tidemark("check", "-c", file).err()).doesNotContain("\tat ");
    assertThat(tidemark("--verbose", "check", "-c", file).err()).contains("\tat ");
    assertThat(tidemark("check", "-c", file, "--verbose").err()).contains("\tat ");
  }

  @Test
  void commandsCanBeAdded() {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();

    int exit =
        TidemarkCommand.run(
            new PrintWriter(out), new PrintWriter(err), new String[] {"extra"}, new Extra());

    assertThat(exit).isEqualTo(1);
  }

  @Test
  void aBrokenFileIsNamed() throws Exception {
    Path file = Files.write(dir.resolve("latin1.yaml"), new byte[] {'a', ':', ' ', (byte) 0xe4});

    assertThat(tidemark("check", "-c", file.toString()).err()).contains("is not UTF-8 text");
  }

  @Command(name = "extra")
  static final class Extra implements Callable<Integer> {
    @Override
    public Integer call() {
      return 1;
    }
  }
}
