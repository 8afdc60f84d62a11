package io.tidemark.iceberg;

import static io.tidemark.iceberg.Orders.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.commit.Batch;
import io.tidemark.commit.CommitRefusedException;
import io.tidemark.commit.WrittenFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NotAuthorizedException;
import org.apache.iceberg.exceptions.ValidationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A catalog that answers, and says no. */
class RefusingCatalogTest {
  @TempDir private Path directory;

  private Replica job;
  private Refusing catalog;
  private IcebergLedger ledger;
  private List<Batch> batches;

  @BeforeEach
  void start() throws Exception {
    job = new Replica(Catalogs.jdbcInMemory(directory), Orders.table());
    catalog = new Refusing(((HasTableOperations) job.foreign()).operations());
    Table guarded = GuardedOperations.guard(new BaseTable(catalog, Orders.TABLE));
    LedgerTables tables =
        new LedgerTables() {
          @Override
          public Table main() {
            return guarded;
          }

          @Override
          public Table tombstones() {
            return job.foreignTombstones();
          }

          @Override
          public void close() {}
        };
    ledger =
        new IcebergLedger(
            tables,
            new IcebergLedgerFactory(job.catalog, Orders.TABLE, job.table.version(), null),
            Replica.AT_ONCE);
    batches = Replica.batches(List.of(job.write(put(1, 1, "eu", "a"))));
  }

  @AfterEach
  void stop() throws Exception {
    ledger.close();
    job.close();
  }

  private void commit() {
    List<WrittenFiles> files = batches.stream().map(Batch::files).toList();
    assertThat(
            Objects.requireNonNull(ledger.commit(batches, Replica.record("c1", null, 1, files)))
                .commitId())
        .isEqualTo("c1");
  }

  static Stream<Supplier<RuntimeException>> refusals() {
    return Stream.of(
        () -> new NotAuthorizedException("Not authorized: who is this"),
        () -> new ForbiddenException("Forbidden: no right to write"),
        () -> new BadRequestException("Malformed request: no"),
        () -> new NoSuchTableException("Table does not exist: no"),
        () -> new ValidationException("It does not fit"));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void stopsAndDeletesNothing(Supplier<RuntimeException> refusal) {
    catalog.refuses(refusal, Integer.MAX_VALUE);

    assertThatThrownBy(this::commit)
        .isInstanceOf(CommitRefusedException.class)
        .hasMessageContaining("Table shop.orders: the catalog refuses what is asked of it, 5 times")
        .hasMessageContaining(refusal.get().getMessage())
        .hasMessageContaining("Whether the commit landed is unknown; no file was deleted");

    assertThat(catalog.asked).isEqualTo(IcebergLedger.REFUSALS);
    assertThat(ledger.missing(batches)).isNull();
    catalog.refuses(refusal, 0);
    commit();
    assertThat(landed()).isEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void aFewRefusalsAreNoAnswer(Supplier<RuntimeException> refusal) throws Exception {
    catalog.refuses(refusal, IcebergLedger.REFUSALS - 1);
    commit();
    assertThat(job.rows()).isEqualTo(Map.of(1L, "eu/a"));
  }

  /** A request was carried out, its answer lost, and when it was sent again the token was old. */
  @ParameterizedTest
  @MethodSource("refusals")
  void aCommitThatLandedAndIsRefusedAfterwardsIsNotDeleted(Supplier<RuntimeException> refusal)
      throws Exception {
    catalog.landsFirst = true;
    catalog.refuses(refusal, 1);
    commit();
    assertThat(job.rows()).isEqualTo(Map.of(1L, "eu/a"));
    assertThat(landed()).isEqualTo(1);
  }

  @Test
  void whatIsAwayInBetweenIsNoRefusal() throws Exception {
    int[] times = {0};
    catalog.refuses(
        () ->
            ++times[0] % 3 == 0
                ? new IllegalStateException("away")
                : new ForbiddenException("Forbidden: no"),
        3 * IcebergLedger.REFUSALS);
    commit();
    assertThat(job.rows()).isEqualTo(Map.of(1L, "eu/a"));
  }

  private int landed() {
    int snapshots = 0;
    for (var ignored : job.foreign().snapshots()) {
      snapshots++;
    }
    return snapshots;
  }

  /** Refuses commits. */
  private static final class Refusing extends ForwardingOperations {
    private Supplier<RuntimeException> refusal = IllegalStateException::new;
    private int times;
    private int asked;
    private boolean landsFirst;

    private Refusing(TableOperations real) {
      super(real);
    }

    void refuses(Supplier<RuntimeException> how, int often) {
      refusal = how;
      times = often;
      asked = 0;
    }

    @Override
    public void commit(TableMetadata base, TableMetadata metadata) {
      if (times == 0) {
        super.commit(base, metadata);
        return;
      }
      times--;
      asked++;
      if (landsFirst) {
        super.commit(base, metadata);
      }
      throw refusal.get();
    }
  }
}
