package io.tidemark.cli;

import io.tidemark.change.TopicPartition;
import io.tidemark.commit.NewEpoch;
import io.tidemark.config.Settings;
import io.tidemark.config.StartPosition;
import io.tidemark.failure.ExitCode;
import io.tidemark.job.EpochBeginning;
import java.io.PrintWriter;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "epoch",
    description =
        "Begins an epoch in the table of a topic: all changes from the given offsets on rank above all"
            + " before them. For a source whose positions started over (fail-over, restore, new"
            + " server), for partitions that were added, for a topic that was created anew. Stop the"
            + " job first.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark epoch -c shop.yaml --begin shop.public.orders:0=1200",
      "  tidemark epoch -c shop.yaml --begin shop.public.orders:0=1200,shop.public.orders:1=980",
      "  tidemark epoch -c shop.yaml --begin shop.public.orders:2=0 --all",
      "",
      "The message that stops a job names the offset. Nothing that was read before is read again, and"
          + " no row changes. Exit code 3 if an epoch cannot begin there."
    })
final class EpochCommand implements Callable<Integer> {

  @Mixin private ConfigFile config = new ConfigFile();

  @Option(
      names = "--begin",
      required = true,
      paramLabel = "OFFSETS",
      description =
          "<topic>:<partition>=<offset>,...: the first offset of the epoch, at or above the one that the"
              + " table's record names.")
  private String begin = "";

  @Option(
      names = "--all",
      description =
          "Begin it in the topic's other partitions too: where the table's record stands, or at the"
              + " first offset where nothing was read of one.")
  private boolean all;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    NewEpoch.Request request = request();
    Settings settings = config.read();
    NewEpoch epoch = EpochBeginning.begin(settings, request);
    PrintWriter out = spec.commandLine().getOut();
    out.println("Epoch " + epoch.number() + " begins:");
    epoch.begins().forEach((tp, offset) -> out.println("  " + tp + " at offset " + offset));
    out.println("Go on with: ./tidemark run -c " + config.path());
    out.flush();
    return ExitCode.OK;
  }

  private NewEpoch.Request request() {
    String expected = "<topic>:<partition>=<offset>,... of one topic";
    try {
      if (StartPosition.parse(begin) instanceof StartPosition.Offsets given) {
        SortedMap<TopicPartition, Long> offsets = new TreeMap<>(given.offsets());
        String topic = offsets.firstKey().topic();
        SortedMap<Integer, Long> partitions = new TreeMap<>();
        for (Map.Entry<TopicPartition, Long> offset : offsets.entrySet()) {
          if (offset.getKey().topic().equals(topic)) {
            partitions.put(offset.getKey().partition(), offset.getValue());
          }
        }
        if (partitions.size() == offsets.size()) {
          return new NewEpoch.Request(topic, partitions, all);
        }
      }
    } catch (IllegalArgumentException e) {
      expected += e.getMessage() == null ? "" : ": " + e.getMessage();
    }
    throw Options.bad(spec, "--begin", begin, expected);
  }
}
