package io.tidemark.cli;

import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Help whose examples, the indented lines of a footer, are lines of their own whatever the width of
 * the terminal, so that they can be copied. All else is wrapped.
 */
final class CopyableHelp extends Help {

  CopyableHelp(CommandSpec spec, ColorScheme colors) {
    super(spec, colors);
  }

  @Override
  public String footer(Object... params) {
    UsageMessageSpec usage = commandSpec().usageMessage();
    StringBuilder text = new StringBuilder();
    for (String line : usage.footer()) {
      int width = line.startsWith("  ") ? line.length() + 2 : 0;
      join(
          ansi(),
          Math.max(usage.width(), width),
          usage.adjustLineBreaksForWideCJKCharacters(),
          new String[] {line},
          text,
          params);
    }
    return text.toString();
  }
}
