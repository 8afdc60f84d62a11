package io.tidemark.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/** Runs commands as a user would. */
final class CommandLineFixture {

  /** What a command came to. */
  record Outcome(int exit, String out, String err) {}

  private CommandLineFixture() {}

  static Outcome tidemark(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exit = TidemarkCommand.run(new PrintWriter(out), new PrintWriter(err), args);
    return new Outcome(exit, out.toString(), err.toString());
  }

  /** A valid configuration whose broker, a closed port, is away. */
  static String config(Path warehouse) {
    return """
    kafka:
      bootstrap.servers: 127.0.0.1:1
      topics: shop\\..*
    catalog:
      name: lake
      properties: {type: hadoop, warehouse: 'file://%s'}
    """
        .formatted(warehouse);
  }

  static String file(Path dir, String text) throws IOException {
    return Files.writeString(dir.resolve("tidemark.yaml"), text).toString();
  }
}
