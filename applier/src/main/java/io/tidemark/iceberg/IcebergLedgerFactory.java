package io.tidemark.iceberg;

import io.tidemark.commit.Backoff;
import io.tidemark.commit.TableLedger;
import io.tidemark.config.CatalogSettings;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Opens the ledger of one table wherever it is needed.
 *
 * @param identifier namespace and name, joined by dots
 * @param known the columns and partitioning that the job was built for
 * @param accepted what others wrote and this ledger's commits may build on; null for nothing
 * @param seen the state of the table that the job was planned on; null if it is not known. A
 *     catalog that answers with an older one is asked again
 */
public record IcebergLedgerFactory(
    CatalogSettings catalog,
    String identifier,
    TableVersion known,
    @Nullable Acceptance accepted,
    @Nullable Sighting seen)
    implements Serializable {

  /** A ledger that knows no state of the table. */
  public IcebergLedgerFactory(
      CatalogSettings catalog,
      String identifier,
      TableVersion known,
      @Nullable Acceptance accepted) {
    this(catalog, identifier, known, accepted, null);
  }

  /**
   * Opens the ledger. Connects when it is first used.
   *
   * @param backoff how it waits between attempts
   */
  public TableLedger open(Backoff backoff) {
    return new IcebergLedger(new LedgerTables.OfCatalog(catalog, identifier, seen), this, backoff);
  }
}
