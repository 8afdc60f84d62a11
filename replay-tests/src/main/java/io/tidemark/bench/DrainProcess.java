package io.tidemark.bench;

import java.util.List;

/** The process of one drain: it measures itself and prints that as one line of JSON. */
public final class DrainProcess {

  /** What comes before the JSON, so that nothing else that is printed is taken for it. */
  static final String MARKER = "measured ";

  private DrainProcess() {}

  /** Drains; the arguments are the side and what {@link DrainOrder#toArguments()} gives. */
  public static void main(String[] args) throws Exception {
    List<String> arguments = List.of(args);
    Side side = Side.valueOf(arguments.get(0));
    DrainOrder order = DrainOrder.ofArguments(arguments.subList(1, arguments.size()));
    Measured before = Measured.now();
    side.drain(order);
    Measured used = Measured.now().since(before);
    System.out.println(MARKER + used.toJson());
    System.out.flush();
    // Threads that a library has left behind are no reason to stay.
    System.exit(0);
  }
}
