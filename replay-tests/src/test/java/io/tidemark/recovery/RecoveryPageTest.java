package io.tidemark.recovery;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** {@code docs/recovery.md} quotes what the code says, and all that stops a job is on it. */
class RecoveryPageTest {
  private static final Path ROOT = Path.of("..");

  /** Exceptions whose words are for who runs a job; all others are bugs or the words of others. */
  private static final Set<String> STOPS =
      Set.of(
          "BadEventException",
          "CancellationException",
          "RefusedException",
          "CommitRefusedException",
          "ForeignWriteException",
          "TableChangedException",
          "TableMismatchException",
          "UnavailableException",
          "RegistryUnavailableException",
          "RankRefused",
          "RankRefused.untilAnEpochBegins");

  /** Methods that make words which an exception is then made with. */
  private static final Set<String> MAKE_WORDS =
      Set.of(
          "AcceptedReplay.checkTogether problems.add",
          "FailureReport Rule<>",
          "Fence.ahead return",
          "FileFault.words return",
          "Fence.replaced return",
          "Fence.unknown return",
          "KafkaTopics.problem return",
          "NewEpoch.of problems.add",
          "NewEpoch.problem return",
          "ReplayHorizon.check problems.add",
          "SameLog.problem return",
          "StartOffsets.add gap",
          "StartOffsets.add refuse",
          "StartOffsets.notBelowOrigin problems.add",
          "TableMismatchException.<init> super",
          "TooOld.problem return",
          "TopicIdentity.problem return",
          "UnknownColumnException.<init> super");

  /** What is thrown, by a piece of its words or by its method, and why no row has it. */
  private static final Map<String, String> ELSEWHERE =
      Map.ofEntries(
          Map.entry("Adoption.look", "the words of IcebergSeed and of files"),
          Map.entry("Bounded.call", "only names what was asked, and what it said"),
          Map.entry("CommitSequence.refusal", "the words of Fence"),
          Map.entry("DecodeOperator.emit", "the words of RankRefused"),
          Map.entry("DecodeOperator.refuse", "the words of a decoder, row: any other"),
          Map.entry("IcebergTables.ensure", "the words of TableMismatchException"),
          Map.entry("FileFault.refusal", "the words of FileFault.words"),
          Map.entry("IcebergTables.fitting", "the words of TableMismatchException"),
          Map.entry("IcebergTables.shape", "in the list of that row"),
          Map.entry("KafkaEmptyTails.after", "stops no job: what was read is recorded"),
          Map.entry("KafkaCluster.answer", "Kafka's words, row: … could not …"),
          Map.entry("KafkaTopics.unavailable", "the words of KafkaTopics.problem"),
          Map.entry("LogReader.drain", "what was asked, row: no answer within"),
          Map.entry("NewEpoch.of", "joins partition and problem"),
          Map.entry("TopicIdentity.check", "the words of TopicIdentity.problem, and what to do"),
          Map.entry("OpenCatalogView.ask", "the words of the catalog"),
          Map.entry("RankRefused.untilAnEpochBegins", "the words of EpochLedger"),
          Map.entry("TableColumns.refuseMissing", "the words of TableMismatchException"),
          Map.entry("StartOffsets.add", "the words of two places, row: offset N is needed"),
          Map.entry("TableProgress.record", "row: progress is not known"),
          Map.entry("TableProgress.topics", "row: progress is not known"),
          Map.entry("TableRepair.version", "the words of RankRefused"),
          Map.entry("TooOld.stop", "the words of TooOld.problem"));

  private static SourceWords sources;
  private static List<String> quotes;

  @BeforeAll
  static void read() throws IOException {
    sources =
        SourceWords.of(
            List.of(
                ROOT.resolve("connectors/src/main/java"),
                ROOT.resolve("applier/src/main/java"),
                ROOT.resolve("replay-tests/src/main/java/io/tidemark/verify")));
    quotes = quotes(Files.readAllLines(ROOT.resolve("docs/recovery.md")));
  }

  /** The words in back quotes in the first cells of the tables of messages. */
  private static List<String> quotes(List<String> page) {
    List<String> quotes = new ArrayList<>();
    boolean messages = false;
    for (String line : page) {
      messages = line.startsWith("|") && (messages || line.startsWith("| message |"));
      if (messages) {
        String cell = line.split("\\|")[1];
        Pattern.compile("`([^`]+)`")
            .matcher(cell)
            .results()
            .map(m -> m.group(1))
            .forEach(quotes::add);
      }
    }
    return quotes;
  }

  /** A quote, without what stands for values: three dots, single capital letters and numbers. */
  private static List<String> pieces(String quote) {
    return Arrays.stream(quote.split("…(: )?|\\b([A-Z]|[0-9]+)\\b(-1)?"))
        .map(String::strip)
        .filter(piece -> piece.chars().filter(Character::isLetter).count() > 1)
        .toList();
  }

  @Test
  void everyQuoteIsWhatTheCodeSays() {
    List<String> unknown = new ArrayList<>();
    for (String quote : quotes) {
      Set<String> files = null;
      for (String piece : pieces(quote)) {
        Set<String> holders =
            sources.texts.stream()
                .filter(text -> text.words().contains(piece))
                .map(SourceWords.Text::file)
                .collect(toCollection(TreeSet::new));
        if (files == null) {
          files = holders;
        } else {
          files.retainAll(holders);
        }
      }
      if (files == null || files.isEmpty()) {
        unknown.add(quote);
      }
    }
    assertThat(unknown).isEmpty();
  }

  @Test
  void everyMessageThatStopsAJobIsOnThePage() {
    List<List<String>> known =
        quotes.stream()
            .map(RecoveryPageTest::pieces)
            .filter(pieces -> pieces.stream().anyMatch(RecoveryPageTest::isTelling))
            .toList();
    Set<String> missing = new TreeSet<>();
    Set<String> elsewhere = new TreeSet<>();
    Set<String> made = new TreeSet<>();
    for (SourceWords.Place place : sources.places) {
      String maker = place.method() + " " + place.what();
      if (!STOPS.contains(place.what()) && !MAKE_WORDS.contains(maker)) {
        continue;
      }
      made.add(maker);
      if (place.what().equals("return") && place.texts().isEmpty()) {
        continue; // no problem
      }
      if (known.stream().anyMatch(pieces -> isIn(place.texts(), pieces))) {
        continue;
      }
      if (ELSEWHERE.containsKey(place.method())) {
        elsewhere.add(place.method());
      } else {
        missing.add(maker + " " + place.texts());
      }
    }
    assertThat(missing).isEmpty();
    assertThat(elsewhere).as("methods that are elsewhere").isEqualTo(ELSEWHERE.keySet());
    assertThat(made).as("methods that make words").containsAll(MAKE_WORDS);
  }

  /** Whether a message that is made of texts has all of a quote: other rows share pieces of it. */
  private static boolean isIn(List<String> texts, List<String> pieces) {
    return pieces.stream().allMatch(piece -> texts.stream().anyMatch(t -> t.contains(piece)));
  }

  /** Not a word or two that stand in many messages. */
  private static boolean isTelling(String piece) {
    return piece.contains(" ") && piece.length() > 11;
  }
}
