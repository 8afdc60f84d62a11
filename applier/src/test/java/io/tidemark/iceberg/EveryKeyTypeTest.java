package io.tidemark.iceberg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.Change;
import io.tidemark.change.KeyWriter;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import io.tidemark.config.CatalogSettings;
import io.tidemark.flink.row.BinaryRowEncoder;
import io.tidemark.merge.BatchWriter;
import io.tidemark.merge.RowSource;
import io.tidemark.row.Column;
import io.tidemark.row.ColumnType;
import io.tidemark.row.ColumnType.Decimal;
import io.tidemark.row.ColumnType.Simple;
import io.tidemark.row.RowShape;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Keys of each type, from both ends of their order and around each place where two orders of them
 * differ: signs, bytes above 127, characters outside of the basic plane, texts that are longer than
 * the bounds which are kept of them. Files of a few rows each have bounds so narrow that a reader
 * which orders keys otherwise than the writer passes over a delete.
 */
class EveryKeyTypeTest {
  private static final long SEED = Long.getLong("tidemark.seed", 1);
  private static final int COMMITS = 12;
  private static final int KEYS = 14;

  @TempDir private Path directory;

  static Stream<ColumnType> types() {
    return Stream.concat(
        Arrays.stream(Simple.values())
            .filter(type -> type != Simple.FLOAT && type != Simple.DOUBLE),
        Stream.of(new Decimal(9, 2), new Decimal(18, 0), new Decimal(38, 10)));
  }

  @ParameterizedTest
  @MethodSource("types")
  void eachRowIsReplacedAndDeleted(ColumnType type) throws Exception {
    System.out.println("EveryKeyTypeTest, " + type + ": -Dtidemark.seed=" + SEED);
    Random random = new Random(SEED);
    RowShape shape = shape(type);
    List<Object> keys = keys(type, random);
    CatalogSettings catalog = Catalogs.jdbcInMemory(directory);
    Map<Integer, Change> expected = new TreeMap<>();
    long version = 0;
    try (Replica job = new Replica(catalog, definition(shape))) {
      for (int commit = 0; commit < COMMITS; commit++) {
        List<Change> changes = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
          int key = random.nextInt(keys.size());
          boolean delete = random.nextInt(3) == 0;
          String note = delete ? null : key + " at " + (version + 1);
          changes.add(change(shape, keys.get(key), note, ++version));
          if (delete) {
            expected.remove(key);
          } else {
            expected.put(key, changes.get(changes.size() - 1));
          }
        }
        job.commit("c" + commit, version + 1, changes.toArray(Change[]::new));
        assertThat(notes(catalog, null))
            .containsExactlyInAnyOrderElementsOf(
                expected.entrySet().stream()
                    .map(row -> row.getKey() + " at " + row.getValue().version().offset())
                    .toList());
      }
      assertThat(readByAnother(job, catalog, shape, expected.values()))
          .containsExactlyInAnyOrderElementsOf(
              expected.values().stream().map(Change::key).toList());
    }
  }

  /** Of the rows that values are kept from, those that another writer finds. */
  private static Set<PrimaryKey> readByAnother(
      Replica job, CatalogSettings catalog, RowShape shape, Collection<Change> rows)
      throws Exception {
    List<RowSource.Wanted> wanted = new ArrayList<>();
    for (Change row : rows) {
      Mark mark = new Mark(row.version(), Kind.UPSERT, Change.UNKNOWN_CONTENT, new byte[0]);
      wanted.add(new RowSource.Wanted(row.key(), mark, row.row()));
    }
    try (BatchWriter other =
        new IcebergBatchWriterFactory(catalog, "shop.keys", shape, job.table.version())
            .open(0, 1)) {
      return other.read(wanted).keySet();
    }
  }

  /** Parquet orders them by their bytes, and Iceberg as signed numbers. */
  @Test
  void uuidsAreFoundByWhatTheyAreEqualTo() throws Exception {
    RowShape shape = shape(Simple.UUID);
    UUID low = new UUID(0, 1);
    UUID high = new UUID(-1, 1);
    CatalogSettings catalog = Catalogs.jdbcInMemory(directory);
    try (Replica job = new Replica(catalog, definition(shape))) {
      job.commit("c1", 3, change(shape, low, "low", 1), change(shape, high, "high", 2));
    }
    assertThat(notes(catalog, "id = '" + low + "'")).containsExactly("low");
    assertThat(notes(catalog, "id = '" + high + "' and note = 'high'")).containsExactly("high");
    assertThat(notes(catalog, "id != '" + high + "'")).containsExactly("low");
    for (String operator : List.of("<", "<=", ">", ">=")) {
      assertThatThrownBy(() -> notes(catalog, "id " + operator + " '" + low + "'"))
          .hasMessageContaining("column id, which is uuid, is compared with = and != alone");
    }
  }

  private static RowShape shape(ColumnType type) {
    return new RowShape(
        List.of(new Column("id", type, true), new Column("note", Simple.STRING, false)));
  }

  private static TableDefinition definition(RowShape shape) {
    return new TableDefinition("shop.keys", shape, List.of(), Map.of(), "postgres", "[]");
  }

  private static List<String> notes(CatalogSettings catalog, @Nullable String filter)
      throws Exception {
    RowQuery query = new RowQuery(List.of(), false, filter, null, null);
    List<String> notes = new ArrayList<>();
    try (TableReader reader = TableReader.open(catalog, "shop.keys")) {
      reader.read(query, row -> notes.add((String) row.getField("note")));
      assertThat(reader.count(query)).isEqualTo(notes.size());
    }
    return notes;
  }

  /** Different values; the same ones for a seed. */
  private static List<Object> keys(ColumnType type, Random random) {
    List<Object> keys = new ArrayList<>(edges(type));
    while (type != Simple.BOOLEAN && keys.size() < KEYS) {
      Object more = any(type, random);
      if (keys.stream().noneMatch(key -> Arrays.deepEquals(of(key), of(more)))) {
        keys.add(more);
      }
    }
    return keys;
  }

  private static Object[] of(Object value) {
    return new Object[] {value};
  }

  private static List<Object> edges(ColumnType type) {
    if (type instanceof Decimal decimal) {
      BigInteger most = BigInteger.TEN.pow(decimal.precision()).subtract(BigInteger.ONE);
      return Stream.of(most.negate(), BigInteger.ONE.negate(), BigInteger.ZERO, most)
          .<Object>map(unscaled -> new BigDecimal(unscaled, decimal.scale()))
          .toList();
    }
    return switch ((Simple) type) {
      case BOOLEAN -> List.of(false, true);
      case INT -> List.of(Integer.MIN_VALUE, -1, 0, Integer.MAX_VALUE);
      case LONG -> List.of(Long.MIN_VALUE, -1L, 0L, Long.MAX_VALUE);
      case DATE -> List.of(-719_162, -1, 0, 2_932_896);
      case TIME -> List.of(0L, 1L, 86_399_999_999L);
      case TIMESTAMP, TIMESTAMPTZ -> List.of(-62_135_596_800_000_000L, -1L, 0L, 1L << 55);
      case STRING ->
          List.of("", "a", "\u007f", "\u0080", "\uffee", "\ud83d\ude00", "\udbff\udffd".repeat(20));
      case BINARY ->
          List.of(new byte[0], new byte[] {0}, new byte[] {127}, new byte[] {-128}, ones());
      case UUID -> List.of(new UUID(0, 0), new UUID(0, -1), new UUID(-1, 0), new UUID(-1, -1));
      default -> throw new IllegalArgumentException(type + " is no type of a key");
    };
  }

  private static byte[] ones() {
    byte[] ones = new byte[20];
    Arrays.fill(ones, (byte) 0xff);
    return ones;
  }

  private static Object any(ColumnType type, Random random) {
    if (type instanceof Decimal decimal) {
      BigInteger bound = BigInteger.TEN.pow(decimal.precision());
      BigInteger unscaled = new BigInteger(127, random).mod(bound);
      return new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), decimal.scale());
    }
    return switch ((Simple) type) {
      case INT -> random.nextInt();
      case LONG -> random.nextLong();
      case DATE -> random.nextInt(-719_162, 2_932_896);
      case TIME -> random.nextLong(86_400_000_000L);
      case TIMESTAMP, TIMESTAMPTZ -> random.nextLong(-62_135_596_800_000_000L, 1L << 55);
      case STRING ->
          "a prefix of sixteen".substring(random.nextInt(20))
              + Character.toString(random.nextInt(32, 0xd800))
              + random.nextInt();
      case BINARY -> {
        byte[] bytes = new byte[random.nextInt(1, 24)];
        random.nextBytes(bytes);
        yield bytes;
      }
      case UUID -> new UUID(random.nextLong(), random.nextLong());
      default -> throw new IllegalArgumentException(type + " is no type of a key");
    };
  }

  /** A null note is a delete. */
  private static Change change(RowShape shape, Object key, String note, long version) {
    BinaryRowEncoder row = new BinaryRowEncoder(shape);
    KeyWriter writer = new KeyWriter().start();
    if (key instanceof Boolean value) {
      row.setBoolean(0, value);
      writer.writeBoolean(value);
    } else if (key instanceof Integer value) {
      row.setInt(0, value);
      writer.writeInt(value);
    } else if (key instanceof Long value) {
      row.setLong(0, value);
      writer.writeLong(value);
    } else if (key instanceof String value) {
      row.setString(0, value);
      writer.writeString(value);
    } else if (key instanceof byte[] value) {
      row.setBinary(0, value);
      writer.writeBytes(value);
    } else if (key instanceof UUID value) {
      row.setUuid(0, value);
      writer.writeUuid(value);
    } else {
      row.setDecimal(0, (BigDecimal) key);
      writer.writeDecimal((BigDecimal) key);
    }
    if (note != null) {
      row.setString(1, note);
    }
    return new Change(
        writer.finish(),
        note == null ? Kind.DELETE : Kind.UPSERT,
        Orders.version(version),
        version * 1000,
        row.finish());
  }
}
