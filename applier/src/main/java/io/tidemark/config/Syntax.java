package io.tidemark.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a key takes, and how it is read.
 *
 * @param expected completes "found …, expected …"
 */
record Syntax<T>(String expected, Reader<T> reader) {

  /** Reads a value, or adds a problem and returns null. */
  interface Reader<T> {
    @Nullable T read(String path, Tree tree, Problems problems);
  }

  /** Any text that is not blank. */
  static final Syntax<String> TEXT = text("a text", Function.identity());

  static final Syntax<Boolean> FLAG =
      text(
          "true or false",
          text -> {
            if (!text.equals("true") && !text.equals("false")) {
              throw new IllegalArgumentException();
            }
            return text.equals("true");
          });

  /** Names and texts as they are, for another system to understand. */
  static final Syntax<Map<String, String>> PROPERTIES =
      new Syntax<>("a mapping from names to texts, numbers, true or false", Syntax::properties);

  /**
   * A scalar.
   *
   * @param parser throws {@link IllegalArgumentException} for what does not fit; its message, if
   *     there is one, says more than {@code expected} and must not repeat the value
   */
  static <T> Syntax<T> text(String expected, Function<String, T> parser) {
    return new Syntax<>(
        expected,
        (path, tree, problems) -> {
          if (!(tree instanceof Tree.Scalar scalar) || scalar.text().isBlank()) {
            problems.unfit(path, tree, expected);
            return null;
          }
          try {
            return parser.apply(scalar.text());
          } catch (IllegalArgumentException e) {
            String more = e.getMessage() == null ? "" : ": " + e.getMessage();
            problems.unfit(path, tree, expected + more);
            return null;
          }
        });
  }

  /** One of the names, which are the values of {@code type} in lower case with dashes. */
  static <E extends Enum<E>> Syntax<E> choice(Class<E> type) {
    Map<String, E> values = new LinkedHashMap<>();
    for (E value : type.getEnumConstants()) {
      values.put(Names.of(value), value);
    }
    return text(
        Names.oneOf(values.keySet()),
        text -> {
          E value = values.get(text);
          if (value == null) {
            throw new IllegalArgumentException();
          }
          return value;
        });
  }

  /** A list, or one element without the list around it. */
  static <T> Syntax<List<T>> list(Syntax<T> element) {
    return new Syntax<>(
        "a list, each " + element.expected(),
        (path, tree, problems) -> {
          if (tree instanceof Tree.Empty) {
            return List.of();
          }
          List<Tree> items = tree instanceof Tree.Listing list ? list.items() : List.of(tree);
          List<T> values = new ArrayList<>();
          for (int i = 0; i < items.size(); i++) {
            T value = element.reader().read(path + "[" + i + "]", items.get(i), problems);
            if (value != null) {
              values.add(value);
            }
          }
          return List.copyOf(values);
        });
  }

  private static @Nullable Map<String, String> properties(
      String path, Tree tree, Problems problems) {
    if (tree instanceof Tree.Empty) {
      return Map.of();
    }
    if (!(tree instanceof Tree.Mapping mapping)) {
      problems.unfit(path, tree, PROPERTIES.expected());
      return null;
    }
    Map<String, String> values = new LinkedHashMap<>();
    mapping
        .entries()
        .forEach(
            (name, value) -> {
              if (value instanceof Tree.Scalar scalar) {
                values.put(name, scalar.text());
              } else {
                problems.unfit(path + "." + name, value, "a text, a number, true or false");
              }
            });
    return values;
  }
}
