package io.tidemark.config;

/** Where a run starts to read, as given with it: {@code --from}. */
public sealed interface StartFrom permits StartFrom.Recorded, StartPosition {

  /** Where the table's record ends; for a table without one, where the configuration says. */
  record Recorded() implements StartFrom {
    @Override
    public String toString() {
      return "recorded";
    }
  }

  /**
   * Reads {@code recorded} or what {@link StartPosition#parse} reads.
   *
   * @throws IllegalArgumentException says what is expected
   */
  static StartFrom parse(String text) {
    return text.strip().equals("recorded") ? new Recorded() : StartPosition.parse(text);
  }
}
