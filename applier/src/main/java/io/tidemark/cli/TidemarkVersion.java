package io.tidemark.cli;

import picocli.CommandLine.IVersionProvider;

/** The version as the jar's manifest tells it. */
final class TidemarkVersion implements IVersionProvider {

  @Override
  public String[] getVersion() {
    String version = TidemarkCommand.class.getPackage().getImplementationVersion();
    return new String[] {"tidemark " + (version == null ? "(development build)" : version)};
  }
}
