package io.tidemark.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.Seeds;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class KeyWriterLawsTest {
  private static final int CASES = 20_000;

  /**
   * One kind of key column: random values, their natural order, and how a key writer takes them.
   */
  private enum Family {
    BOOLEAN {
      @Override
      Object some(Random random) {
        return random.nextBoolean();
      }

      @Override
      void write(KeyWriter out, Object value) {
        out.writeBoolean((Boolean) value);
      }
    },
    INT {
      @Override
      Object some(Random random) {
        return random.nextBoolean() ? random.nextInt() : random.nextInt(5) - 2;
      }

      @Override
      void write(KeyWriter out, Object value) {
        out.writeInt((Integer) value);
      }
    },
    LONG {
      @Override
      Object some(Random random) {
        return random.nextBoolean() ? Some.number(random) : random.nextInt(5) - 2L;
      }

      @Override
      void write(KeyWriter out, Object value) {
        out.writeLong((Long) value);
      }
    },
    STRING {
      @Override
      Object some(Random random) {
        StringBuilder text = new StringBuilder();
        for (int n = random.nextInt(4); n > 0; n--) {
          text.appendCodePoint(new int[] {0, 1, 'a', 0xff, 0xfffd, 0x1f600}[random.nextInt(6)]);
        }
        return text.toString();
      }

      @Override
      int compare(Object a, Object b) {
        return Arrays.compareUnsigned(
            ((String) a).getBytes(StandardCharsets.UTF_8),
            ((String) b).getBytes(StandardCharsets.UTF_8));
      }

      @Override
      void write(KeyWriter out, Object value) {
        out.writeString((String) value);
      }
    },
    UUIDS {
      @Override
      Object some(Random random) {
        return new UUID(Some.number(random), Some.number(random));
      }

      @Override
      int compare(Object a, Object b) {
        return a.toString().compareTo(b.toString());
      }

      @Override
      void write(KeyWriter out, Object value) {
        out.writeUuid((UUID) value);
      }
    },
    DECIMAL {
      @Override
      Object some(Random random) {
        BigInteger unscaled = new BigInteger(random.nextInt(125), random);
        return new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), 4);
      }

      @Override
      void write(KeyWriter out, Object value) {
        out.writeDecimal((BigDecimal) value);
      }
    };

    abstract Object some(Random random);

    abstract void write(KeyWriter out, Object value);

    @SuppressWarnings("unchecked")
    int compare(Object a, Object b) {
      return ((Comparable<Object>) a).compareTo(b);
    }
  }

  @Test
  void keysSortAsTheirColumnsDoAndNoTwoMeet() {
    Random random = Seeds.random("KeyWriterLawsTest", 61);
    KeyWriter writer = new KeyWriter();
    for (int i = 0; i < CASES; i++) {
      List<Family> families = new ArrayList<>();
      for (int n = 1 + random.nextInt(3); n > 0; n--) {
        families.add(Family.values()[random.nextInt(Family.values().length)]);
      }
      List<Object> a = families.stream().map(f -> f.some(random)).toList();
      List<Object> b = new ArrayList<>(families.stream().map(f -> f.some(random)).toList());
      if (random.nextBoolean()) {
        b.set(0, a.get(0)); // a common beginning, or the whole key
      }

      PrimaryKey left = key(writer, families, a);
      PrimaryKey right = key(writer, families, b);

      Comparator<List<Object>> order = order(families);
      assertThat(Integer.signum(left.compareTo(right)))
          .as("%s %s", a, b)
          .isEqualTo(Integer.signum(order.compare(a, b)));
      assertThat(left.equals(right)).isEqualTo(a.equals(b));
      assertThat(key(writer, families, a)).isEqualTo(left).hasSameHashCodeAs(left);
    }
  }

  @Test
  void aDecimalOfMoreThanSixteenBytesIsRefused() {
    assertThatThrownBy(
            () -> new KeyWriter().start().writeDecimal(new BigDecimal(BigInteger.TWO.pow(127))))
        .hasMessage("A decimal key has at most 38 digits, got 39");
  }

  private static PrimaryKey key(KeyWriter writer, List<Family> families, List<Object> values) {
    writer.start();
    for (int i = 0; i < families.size(); i++) {
      families.get(i).write(writer, values.get(i));
    }
    return writer.finish();
  }

  private static Comparator<List<Object>> order(List<Family> families) {
    return (a, b) -> {
      for (int i = 0; i < families.size(); i++) {
        int order = families.get(i).compare(a.get(i), b.get(i));
        if (order != 0) {
          return order;
        }
      }
      return 0;
    };
  }
}
