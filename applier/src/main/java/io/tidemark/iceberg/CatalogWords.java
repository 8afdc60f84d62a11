package io.tidemark.iceberg;

import io.tidemark.config.CatalogSettings;
import io.tidemark.config.ConfigException;
import io.tidemark.config.Secrets;

/** What a catalog's exceptions say, for who has to mend it. Secrets in addresses are masked. */
public final class CatalogWords {
  private CatalogWords() {}

  /**
   * What the catalog said and why. Iceberg says of a server that is away only what was asked of it;
   * who knows why is the cause.
   */
  public static String of(Throwable e) {
    String message = e.getMessage();
    String said = message == null ? e.getClass().getSimpleName() : shown(message);
    Throwable cause = e.getCause();
    if (cause == null) {
      return said;
    }
    String reason = cause.getMessage();
    if (reason == null) {
      return said + ": " + cause.getClass().getSimpleName();
    }
    boolean told = message != null && message.contains(reason);
    return told ? said : said + ": " + cause.getClass().getSimpleName() + ": " + shown(reason);
  }

  /** In one line. */
  private static String shown(String words) {
    return Secrets.withoutUserInfo(words.strip().replaceAll("\\s*\\n\\s*", " "));
  }

  /** Properties that Iceberg makes no catalog of. */
  static ConfigException refused(CatalogSettings settings, RuntimeException e) {
    String said = of(e);
    // Iceberg names a class that cannot be loaded in this way, and keeps the exception to itself.
    boolean missing = said.contains("ClassNotFoundException");
    return ConfigException.of(
        "catalog.properties",
        "Iceberg makes no catalog "
            + settings.name()
            + " of them: "
            + said
            + (missing
                ? ". Expected a class that is on the class path: correct type, catalog-impl or"
                    + " io-impl, or add the jar that has it"
                : ""));
  }
}
